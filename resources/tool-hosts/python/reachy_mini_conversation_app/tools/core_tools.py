"""What a tool of the robot's conversation app is written against.

A tool is a concrete subclass of Tool. It is created without arguments and called with the dependencies and the model's
arguments; it answers a dictionary, and ``{"error": text}`` when it failed.
"""

import abc
import logging
from dataclasses import dataclass, field
from typing import Any, Dict, Optional

logger = logging.getLogger(__name__)


class _NotOffered:
    """A part of the robot that tools cannot reach from here. Every use of it says so by name."""

    def __init__(self, name: str) -> None:
        self.__dict__["_name"] = name

    def __getattr__(self, attribute: str) -> Any:
        if attribute.startswith("__") and attribute.endswith("__"):
            raise AttributeError(attribute)
        raise RuntimeError(f"{self._name}.{attribute} is not offered to tools here")

    def __setattr__(self, attribute: str, value: Any) -> None:
        raise RuntimeError(f"{self._name}.{attribute} is not offered to tools here")

    def __repr__(self) -> str:
        return f"<{self._name}, not offered here>"


@dataclass
class ToolDependencies:
    """What a tool is handed."""

    reachy_mini: Any = field(default_factory=lambda: _NotOffered("reachy_mini"))
    movement_manager: Any = field(default_factory=lambda: _NotOffered("movement_manager"))
    camera_worker: Optional[Any] = None
    vision_processor: Optional[Any] = None
    head_wobbler: Optional[Any] = None
    motion_duration_s: float = 1.0


class Tool(abc.ABC):
    """One thing that a model may call."""

    name: str
    description: str
    parameters_schema: Dict[str, Any]

    def spec(self) -> Dict[str, Any]:
        """As a model is told of it."""
        return {
            "type": "function",
            "name": self.name,
            "description": self.description,
            "parameters": self.parameters_schema,
        }

    @abc.abstractmethod
    async def __call__(self, deps: ToolDependencies, **kwargs: Any) -> Dict[str, Any]:
        """Does it."""
        raise NotImplementedError
