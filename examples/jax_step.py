"""A step as a function of JAX: `custom_vjp` around callbacks.

The backward pass is one vector-Jacobian product per step, with no matrices. Without JAX this program
says so.
"""

import cortenforge
import numpy as np
from cortenforge import derivatives

try:
  import jax
  import jax.numpy as jnp
except ImportError:
  jax = None

MODEL = """
<mujoco>
  <worldbody>
    <geom type="plane" size="5 5 0.1"/>
    <body pos="0 0 0.25">
      <joint name="slide" type="slide" axis="0 0 1"/>
      <joint name="hinge" axis="0 1 0" damping="0.01"/>
      <geom type="capsule" fromto="-0.2 0 0 0.2 0 0" size="0.05"/>
    </body>
  </worldbody>
  <actuator><motor joint="hinge" gear="2"/></actuator>
</mujoco>
"""


def make_step(model):
  """The function (qpos, qvel, ctrl) -> (qpos, qvel) of a model without quaternions."""
  data, product = cortenforge.MjData(model), derivatives.Vjp(model)

  def place(qpos, qvel, ctrl):
    cortenforge.mj_resetData(model, data)
    data.qpos[:], data.qvel[:], data.ctrl[:] = (np.asarray(x) for x in (qpos, qvel, ctrl))

  def run(qpos, qvel, ctrl):
    place(qpos, qvel, ctrl)
    cortenforge.mj_step(model, data)
    return data.qpos.copy(), data.qvel.copy()

  def pull(qpos, qvel, ctrl, by_qpos, by_qvel):
    place(qpos, qvel, ctrl)
    gradient = product(data, qpos=np.asarray(by_qpos), qvel=np.asarray(by_qvel))
    return tuple(np.array(x) for x in (gradient.qpos, gradient.qvel, gradient.ctrl))

  sizes = [jax.ShapeDtypeStruct((size,), jnp.float64) for size in (model.nq, model.nv, model.nu)]

  @jax.custom_vjp
  def step(qpos, qvel, ctrl):
    return jax.pure_callback(run, tuple(sizes[:2]), qpos, qvel, ctrl)

  def forward(qpos, qvel, ctrl):
    return step(qpos, qvel, ctrl), (qpos, qvel, ctrl)

  def backward(saved, by):
    return jax.pure_callback(pull, tuple(sizes), *saved, *by)

  step.defvjp(forward, backward)
  return step


def main():
  if jax is None:
    print('JAX is not installed')
    return
  jax.config.update('jax_enable_x64', True)
  model = cortenforge.MjModel.from_xml_string(MODEL)
  step = make_step(model)

  def angle(torques):
    qpos, qvel = jnp.array(model.qpos0), jnp.zeros(model.nv)
    for torque in torques:
      qpos, qvel = step(qpos, qvel, torque)
    return qpos[1]

  gradient = jax.grad(angle)(jnp.zeros((50, model.nu)))
  print(f'the angle of the hinge by the first torque: {gradient[0, 0]:.3e}')


if __name__ == '__main__':
  main()
