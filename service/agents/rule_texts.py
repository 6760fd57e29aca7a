"""The rules of a game in parts: the introduction, single rules by number, chapters."""

import re


def rule_text(rules_text: str, number: str) -> str | None:
    """Return the text of one rule from a rules document, or None if there is no such rule."""
    found = re.search(
        rf"^- \*\*{re.escape(number)}\b.*?(?=^- \*\*|^#|\Z)", rules_text, re.MULTILINE | re.DOTALL
    )
    return " ".join(found[0].split()).removeprefix("- ").replace("*", "") if found else None


def chapters(rules_text: str) -> dict[str, str]:
    """The chapters of a rules document by title; what stands before the first one has the title ''."""
    first, *others = re.split(r"^## ", rules_text, flags=re.MULTILINE)
    found = {"": first.partition("\n")[2].strip()}
    for part in others:
        title, _, text = part.partition("\n")
        found[title.strip()] = text.strip()
    return found


def outline(rules_text: str) -> str:
    """The introduction, and the chapters with the numbers of their rules."""
    parts = chapters(rules_text)
    lines = [parts.pop("")]
    for title, text in parts.items():
        numbers = re.findall(r"^- \*\*([A-Z]-[0-9]{1,3}[a-z]?)\b", text, re.MULTILINE)
        rules = f" ({numbers[0]} to {numbers[-1]})" if numbers else ""
        lines.append(f"- {title}{rules}")
    return "\n".join(lines)
