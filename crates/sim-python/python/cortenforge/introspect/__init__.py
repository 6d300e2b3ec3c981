"""Descriptions of enums and structs under the names of MuJoCo's C API: ``mujoco.introspect``.

They are made from the field tables of the engine. Functions of the C API and structs of its user
interface are not described.
"""
