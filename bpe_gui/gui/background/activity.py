"""The kinds of long work that the window tells about."""

from enum import Enum


class Activity(Enum):
    """A kind of long work."""

    IDLE = "idle"
    COUNTING = "counting"
    TRAINING = "training"
    MOVING = "moving"
    """The cursor is on a long move."""
    OPENING = "opening"
    """A tokenizer is being read."""
    BRANCHING = "branching"
    """The run of a branch is being made."""
