"""A property that is worked out once; lighter than functools.cached_property, which locks."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class lazy(Generic[T]):  # noqa: N801  # it is used like `property`
    """Replaces itself by its value when it is first asked for."""

    def __init__(self, work: Callable[[Any], T]) -> None:
        """Takes the method that works it out."""
        self._work = work
        self._name = work.__name__
        self.__doc__ = work.__doc__

    @overload
    def __get__(self, owner: None, kind: type) -> "lazy[T]": ...
    @overload
    def __get__(self, owner: object, kind: type) -> T: ...
    def __get__(self, owner: object | None, kind: type) -> "T | lazy[T]":
        """Asked of an object, its value, which hides this from then on."""
        if owner is None:
            return self
        value = self._work(owner)
        owner.__dict__[self._name] = value
        return value
