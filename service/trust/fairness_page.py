"""The audit report as an HTML page, self-contained and without scripts."""

from typing import Any

from markupsafe import Markup

from kontor_games.domain.toolkit.languages import DEFAULT_LANGUAGE
from kontor_games.service.documents.charts import counts_chart
from kontor_games.service.documents.pages import render
from kontor_games.service.documents.texts import Texts, texts_in
from kontor_games.service.trust.audit_report import AuditReport, StreamTest

_SUSPICIOUS = 0.001
"""A p-value below this is reported as suspicious."""


def fairness_page(
    report: AuditReport,
    title: str,
    made: str,
    address: str | None = None,
    language: str = DEFAULT_LANGUAGE,
    sheet: str | None = None,
) -> str:
    """Return the page; `made` names its time and source, `address` the page on the service.

    With the address of a style `sheet` the page links to it; without one, the style is embedded.
    """
    texts = texts_in(language)
    return render(
        "fairness.html", title, language, address=address, sheet=sheet, report=report, made=made,
        sentence=_sentence(report, texts), tested=tested(report, texts),
        anomalies=[(match, texts.anomaly(problem, _english)) for match, problem in report.problems],
    )  # fmt: skip


def _sentence(report: AuditReport, texts: Texts) -> str:
    """The overall result, in one sentence."""
    matches, wrong = texts.number(report.matches), len(report.problems)
    if not wrong:
        return texts("fairness.sound", n=report.matches, count=matches)
    sound = texts.number(report.verified)
    return texts("fairness.wrong", n=wrong, count=texts.number(wrong), sound=sound, matches=matches)


def _english(text: str) -> Markup:
    """A part of a sentence for which there is no translation."""
    return Markup('<span lang="en">{}</span>').format(text)


def tested(report: AuditReport, texts: Texts) -> dict[str, Any]:
    """Return what the section on random values shows: a sentence about all tests, and each stream."""
    p_value, count = report.p_value, sum(test.test.p_value is not None for test in report.tests)
    explanation, unfair = texts("fairness.too_few"), None
    if p_value is not None and p_value >= _SUSPICIOUS:
        explanation = texts("fairness.fair", n=count, share=texts.number(p_value, ".1%"))
    elif p_value is not None:
        unfair = texts("fairness.unfair_text", n=count, share=texts.number(p_value, ".2g"))
    return {
        "explanation": explanation,
        "unfair": unfair,
        "once": report.repeated_deals,
        "streams": [_stream(test, texts) for test in report.tests],
    }


def _stream(test: StreamTest, texts: Texts) -> dict[str, Any]:
    chi, p_value = test.test, test.test.p_value
    figures = [texts("fairness.values", n=test.values, count=texts.number(test.values))]
    if p_value is None:
        figures.append(texts("fairness.too_few_short"))
    else:
        figures += [
            texts("fairness.p_value", value=texts.number(p_value, _p_format(p_value))),
            f"χ² {texts.number(chi.statistic, ',.1f')}",
            texts("fairness.freedom", count=texts.number(chi.freedom)),
        ]
    name = texts.group("fairness.stream.").get(test.stream, test.stream.replace("_", " "))
    chart = counts_chart(test.bars, texts) if test.bars else None
    return {"title": f"{texts.title(test.game)}: {name}", "figures": " · ".join(figures), "chart": chart}


def _p_format(p_value: float) -> str:
    return ".3f" if p_value >= _SUSPICIOUS else ".1e"


def format_p_value(p_value: float) -> str:
    """Format a p-value; small ones are not rounded to zero."""
    return format(p_value, _p_format(p_value))
