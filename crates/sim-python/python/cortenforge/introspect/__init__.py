"""Descriptions of enums, structs and functions under the names of MuJoCo's C API:
``mujoco.introspect``.

Enums and structs are made from the field tables of the engine; functions from a list of their
declarations. Of the user interface only items are described.
"""
