"""The audit report as an HTML page, self-contained and without scripts."""

from functools import cache
from html import escape
from importlib.resources import files

from markupsafe import Markup
from markupsafe import escape as mark_safe

from kontor_games.domain.games import installed_games
from kontor_games.domain.toolkit.languages import DEFAULT_LANGUAGE
from kontor_games.service.documents.texts import Texts, texts_in
from kontor_games.service.page_frame import policy_of, section, site_footer, site_header, style_of, table
from kontor_games.service.trust.audit_report import AuditedMatch, AuditReport, StreamTest
from kontor_games.service.trust.fairness_chart import plot

_SUSPICIOUS = 0.001
"""A p-value below this is reported as suspicious."""
_SHORT = 8
"""The number of characters of an id that are shown where its match is linked."""
_GUIDE = ("sentence", "bars", "p")


@cache
def fairness_style() -> str:
    """Return the style of the page."""
    own = files("kontor_games.service.trust").joinpath("fairness.css").read_text(encoding="utf-8")
    return style_of(own)


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
    linked, texts = address is not None, texts_in(language)
    return (
        "<!doctype html>\n"
        f'<html lang="{texts.language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)} · Kontor</title>"
        f"{_style_tag(sheet)}</head>\n<body>\n{site_header(address, language, translated=True)}"
        f'<main id="content" tabindex="-1">\n<h1>{escape(title)}</h1>\n<p class="faint">{escape(made)}</p>\n'
        f"{_verdict(report, texts)}{_anomalies(report, texts)}{_guide(report, texts, linked=linked)}"
        f"{chance_section(report, texts)}{_games(report, texts)}"
        f"{_matches(report, texts, linked=linked)}</main>\n"
        f"{site_footer(language)}</body></html>\n"
    )


def _style_tag(sheet: str | None) -> str:
    if sheet is not None:
        return f'<link rel="stylesheet" href="{sheet}">'
    policy = escape(policy_of(fairness_style()), quote=True)
    return f'<meta http-equiv="Content-Security-Policy" content="{policy}"><style>{fairness_style()}</style>'


def _verdict(report: AuditReport, texts: Texts) -> str:
    if not report.matches:
        return f'<p class="verdict">{escape(texts("fairness.nothing"))}</p>\n'
    how = texts("fairness.how", facts=texts.number(report.facts), values=texts.number(report.values))
    kind = "bad" if report.problems else "good"
    return (
        f'<p class="verdict {kind}">{escape(_sentence(report, texts))}</p>\n'
        f"<p>{escape(how, quote=False)}</p>\n"
    )


def _sentence(report: AuditReport, texts: Texts) -> str:
    """The overall result, in one sentence."""
    matches, wrong = texts.number(report.matches), len(report.problems)
    if not wrong:
        return texts("fairness.sound", n=report.matches, count=matches)
    sound = texts.number(report.verified)
    return texts("fairness.wrong", n=wrong, count=texts.number(wrong), sound=sound, matches=matches)


def _anomalies(report: AuditReport, texts: Texts) -> str:
    if not report.problems:
        return ""
    rows = [
        (f"<code>{escape(match)}</code>" if match else "–", mark_safe(texts.anomaly(problem, _english)))
        for match, problem in report.problems
    ]
    head, title = _heads(texts, "fairness.match", "fairness.what_is_wrong"), texts("fairness.anomalies")
    return section(title, table(title, head, rows, numbers=()))


def _english(text: str) -> Markup:
    """A part of a sentence for which there is no translation."""
    return Markup('<span lang="en">{}</span>').format(text)


def _heads(texts: Texts, *keys: str) -> list[str]:
    return [escape(texts(key)) for key in keys]


def _guide(report: AuditReport, texts: Texts, *, linked: bool) -> str:
    if not report.matches:
        return ""
    points = [
        (texts(f"fairness.guide.{name}"), escape(texts(f"fairness.guide.{name}_text"))) for name in _GUIDE
    ]
    offline = texts("fairness.guide.offline", command="<code>kontor verify</code>")
    points.append((texts("fairness.guide.own"), texts("fairness.guide.online") if linked else offline))
    items = "".join(f"<li><strong>{escape(name)}</strong> {text}</li>" for name, text in points)
    return section(texts("fairness.guide"), f'<ul class="guide">{items}</ul>\n')


def _games(report: AuditReport, texts: Texts) -> str:
    if not report.games:
        return ""
    rows = [
        (escape(title_of(game, texts.language)), texts.number(matches))
        for game, matches in sorted(report.games.items())
    ]
    head = _heads(texts, "fairness.game", "fairness.audited")
    return section(texts("fairness.matches"), table(texts("fairness.by_game"), head, rows))


def _matches(report: AuditReport, texts: Texts, *, linked: bool) -> str:
    if not report.listed:
        return ""
    shown, title = list(reversed(report.listed)), texts("fairness.one_by_one")
    head = _heads(texts, "fairness.match", "fairness.game", "fairness.facts", "fairness.result")
    rows = [_match_row(one, texts, linked=linked) for one in shown]
    some = 1 < len(shown) < report.matches
    more = f"<p>{escape(texts('fairness.newest', count=texts.number(len(shown))))}</p>\n" if some else ""
    return section(title, f"{more}{table(title, head, rows, numbers=(2,))}")


def _match_row(match: AuditedMatch, texts: Texts, *, linked: bool) -> tuple[str, ...]:
    id_, check = escape(match.match), escape(texts("fairness.check"))
    name = (
        f'<a href="/#/match/{id_}/replay" title="{id_}"><code>{id_[:_SHORT]}</code></a>'
        if linked
        else f"<code>{id_}</code>"
    )
    link = f' · <a href="/#/match/{id_}/check">{check}</a>' if linked else ""
    verdict = texts("fairness.as_it_must_be" if match.sound else "fairness.is_wrong")
    game = escape(title_of(match.game, texts.language))
    return name, game, texts.number(match.facts), f"{escape(verdict)}{link}"


def title_of(game: str, language: str = DEFAULT_LANGUAGE) -> str:
    """Return the title of a game, or its id if it is not installed."""
    known = installed_games().get(game)
    if known is None:
        return game or texts_in(language)("fairness.unknown_game")
    return known.titles.get(language, known.titles[DEFAULT_LANGUAGE])


def chance_section(report: AuditReport, texts: Texts) -> str:
    """Return how often each random value was drawn, stream by stream, with a test of each."""
    if not report.tests:
        return ""
    streams = "".join(_stream(test, texts) for test in report.tests)
    once = f"<p>{escape(texts('fairness.chance_once'))}</p>\n" if report.repeated_deals else ""
    content = (
        f'<p>{_explanation(report, texts)}</p>\n{once}<div class="streams">\n{streams}</div>\n'
        f'<p class="faint">{escape(texts("fairness.dashed"))}</p>\n'
    )
    return section(texts("fairness.chance"), content)


def _explanation(report: AuditReport, texts: Texts) -> str:
    """Explain the p-value of all tests in one sentence."""
    p_value, count = report.p_value, sum(test.test.p_value is not None for test in report.tests)
    if p_value is None:
        return escape(texts("fairness.too_few"))
    if p_value >= _SUSPICIOUS:
        return escape(texts("fairness.fair", n=count, share=texts.number(p_value, ".1%")))
    text = texts("fairness.unfair_text", n=count, share=texts.number(p_value, ".2g"))
    return f'<span class="bad">{escape(texts("fairness.unfair"))}</span>{escape(text)}'


def _stream(test: StreamTest, texts: Texts) -> str:
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
    return (
        '<section class="stream">'
        f"<h3>{escape(title_of(test.game, texts.language))}: {escape(_stream_name(test.stream, texts))}</h3>"
        f'<p class="faint">{escape(" · ".join(figures))}</p>{plot(test.bars, texts)}</section>\n'
    )


def _stream_name(stream: str, texts: Texts) -> str:
    """The name of a stream in the language of the page, or its id if the texts do not have it."""
    return texts.group("fairness.stream.").get(stream, stream.replace("_", " "))


def _p_format(p_value: float) -> str:
    return ".3f" if p_value >= _SUSPICIOUS else ".1e"


def format_p_value(p_value: float) -> str:
    """Format a p-value; small ones are not rounded to zero."""
    return format(p_value, _p_format(p_value))
