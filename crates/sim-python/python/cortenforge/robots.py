"""Robots that come with the package: models with keyframes, a task, and a controller that does it.

    from cortenforge import robots

    robot = robots.load('quadruped')
    while robot.data.time < robot.duration:
      robot.control()
      cortenforge.mj_step(robot.model, robot.data)
    print(robot.outcome())
"""

from typing import NamedTuple

import cortenforge
from cortenforge import _native


class Outcome(NamedTuple):
  """How far a robot has come with its task."""

  done: bool
  text: str


class Robot:
  """A robot at the beginning of its task.

  Attributes:
    name: The name that it is found by.
    about: What it is.
    task: What its controller does.
    duration: Seconds that the task takes.
    xml: The model as MJCF.
    model: The model.
    data: Data of the model, at its first keyframe.
  """

  def __init__(self, name: str):
    found = {row[0]: row for row in _native._robots()}
    if name not in found:
      raise KeyError(f'no robot {name!r}: there are {", ".join(found)}')
    self.name, self.about, self.task, self.duration, self.xml = found[name]
    self.model = cortenforge.MjModel.from_xml_string(self.xml)
    self.data = cortenforge.MjData(self.model)
    if self.model.nkey:
      cortenforge.mj_resetDataKeyframe(self.model, self.data, 0)

  def control(self) -> None:
    """Sets the controls for the next step, from time and state."""
    _native._robot_control(self.name, self.model, self.data)

  def outcome(self) -> Outcome:
    """How far it has come."""
    return Outcome(*_native._robot_outcome(self.name, self.model, self.data))


def names() -> list[str]:
  """The names of all robots."""
  return [row[0] for row in _native._robots()]


def load(name: str) -> Robot:
  """The robot with a name.

  Raises:
    KeyError: if there is none.
  """
  return Robot(name)
