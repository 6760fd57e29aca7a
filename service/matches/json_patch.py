"""The difference of two plain values as a JSON Patch (RFC 6902)."""

from collections.abc import Iterator

from kontor_games.domain.codec import Plain, pointer_step


def json_patch(before: Plain, after: Plain) -> list[Plain]:
    """The operations `add`, `replace` and `remove` that turn one value into the other, in order."""
    return list(_operations(before, after, ""))


def _operations(before: Plain, after: Plain, pointer: str) -> Iterator[Plain]:
    if before == after:
        return
    if isinstance(before, dict) and isinstance(after, dict):
        yield from _of_objects(before, after, pointer)
    elif isinstance(before, list) and isinstance(after, list) and len(before) <= len(after):
        yield from _of_lists(before, after, pointer)
    else:
        yield {"op": "replace", "path": pointer, "value": after}


def _of_objects(before: dict[str, Plain], after: dict[str, Plain], pointer: str) -> Iterator[Plain]:
    for name in before:
        if name not in after:
            yield {"op": "remove", "path": f"{pointer}/{pointer_step(name)}"}
    for name, value in after.items():
        place = f"{pointer}/{pointer_step(name)}"
        if name in before:
            yield from _operations(before[name], value, place)
        else:
            yield {"op": "add", "path": place, "value": value}


def _of_lists(before: list[Plain], after: list[Plain], pointer: str) -> Iterator[Plain]:
    """Changes of existing items, and new items at the end."""
    changed = [index for index, item in enumerate(before) if item != after[index]]
    if _is_replaced(before, after, changed):
        yield {"op": "replace", "path": pointer, "value": after}
        return
    for index in changed:
        yield from _operations(before[index], after[index], f"{pointer}/{index}")
    for item in after[len(before) :]:
        yield {"op": "add", "path": f"{pointer}/-", "value": item}


def _is_replaced(before: list[Plain], after: list[Plain], changed: list[int]) -> bool:
    """Whether to send the whole list, because that is shorter.

    It is if items changed in a list that grew, or if several items that are no containers differ.
    """
    grown = len(after) > len(before)
    return bool(changed) if grown else len(changed) > 1 and not isinstance(after[0], dict | list)
