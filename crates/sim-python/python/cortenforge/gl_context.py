"""Contexts that programs make before they render. Nothing is behind them."""


class GLContext:
  """Stands for an OpenGL context; rendering needs none."""

  def __init__(self, max_width=640, max_height=480):
    self.max_width, self.max_height = max_width, max_height

  def make_current(self):
    """Does nothing."""

  def free(self):
    """Does nothing."""
