"""The comparison with MuJoCo: what is compared (`fields`) and how (`comparison`).

Needs the package `mujoco`, 3.5.0. `python -m cortenforge.compare MODEL` prints the result.
"""
