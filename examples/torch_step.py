"""A step as an operation of PyTorch: gradients flow through contact.

The backward pass is one vector-Jacobian product per step, with no matrices. Without PyTorch this
program says so.
"""

import cortenforge
import numpy as np
from cortenforge import derivatives

try:
  import torch
except ImportError:
  torch = None

MODEL = """
<mujoco>
  <worldbody>
    <geom type="plane" size="5 5 0.1"/>
    <body pos="0 0 0.12">
      <freejoint/>
      <geom type="ellipsoid" size="0.1 0.08 0.06"/>
      <body pos="0.1 0 0">
        <joint name="hinge" axis="0 1 0" damping="0.01"/>
        <geom type="capsule" fromto="0 0 0 0.2 0 0" size="0.03"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor joint="hinge" gear="0.5"/></actuator>
</mujoco>
"""


def make_step(model):
  """The operation (qpos, qvel, ctrl) -> (qpos, qvel) of a model."""
  data, product = cortenforge.MjData(model), derivatives.Vjp(model)

  class Step(torch.autograd.Function):

    @staticmethod
    def forward(ctx, qpos, qvel, ctrl):
      ctx.save_for_backward(qpos, qvel, ctrl)
      cortenforge.mj_resetData(model, data)
      data.qpos[:], data.qvel[:], data.ctrl[:] = qpos.numpy(), qvel.numpy(), ctrl.numpy()
      cortenforge.mj_step(model, data)
      ctx.arrived = data.qpos.copy()
      return torch.from_numpy(data.qpos.copy()), torch.from_numpy(data.qvel.copy())

    @staticmethod
    def backward(ctx, by_qpos, by_qvel):
      qpos, qvel, ctrl = (x.numpy() for x in ctx.saved_tensors)
      cortenforge.mj_resetData(model, data)
      data.qpos[:], data.qvel[:], data.ctrl[:] = qpos, qvel, ctrl
      # derivatives by quaternions are taken to those by rotations, and back
      weight = derivatives.tangent_of(model, ctx.arrived, by_qpos.numpy())
      gradient = product(data, qpos=weight, qvel=by_qvel.numpy())
      by_qpos = derivatives.quat_tangent(model, qpos, gradient.qpos)
      return tuple(torch.from_numpy(np.array(x)) for x in (by_qpos, gradient.qvel, gradient.ctrl))

  return Step.apply


def main():
  if torch is None:
    print('PyTorch is not installed')
    return
  model = cortenforge.MjModel.from_xml_string(MODEL)
  step = make_step(model)
  torques = torch.zeros(50, model.nu, dtype=torch.float64, requires_grad=True)
  qpos, qvel = torch.from_numpy(model.qpos0.copy()), torch.zeros(model.nv, dtype=torch.float64)
  for torque in torques:
    qpos, qvel = step(qpos, qvel, torque)
  qpos[7].backward()
  print(f'the angle of the hinge by the first torque: {torques.grad[0, 0]:.3e}')


if __name__ == '__main__':
  main()
