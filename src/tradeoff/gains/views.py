"""Text sections and JSON document of gains: whom to contact, deciles, and profits."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tradeoff.checks.notes import notes_and_warnings, notes_section
from tradeoff.errors import format_list
from tradeoff.formatting import format_count, format_percent, printable
from tradeoff.gains.gains import Gains, ModelGains
from tradeoff.render.estimate_text import format_significant
from tradeoff.render.json_csv import json_number, json_value
from tradeoff.render.sections import Section
from tradeoff.results import shows
from tradeoff.thresholds.decision import best_threshold
from tradeoff.thresholds.out_of_sample import METHOD, OutOfSample
from tradeoff.thresholds.views import chosen_threshold_text
from tradeoff.views.campaigns import campaign_sentence, earning_phrase
from tradeoff.wording import format_amount_of_money

GAINS_SCHEMA = "tradeoff/gains/1"
GROUP_NAMES = {4: "quarter", 5: "fifth", 10: "decile", 20: "twentieth", 100: "percentile"}
MAX_LISTED_GROUPS = 6


@shows(Gains, "sections")
def gains_sections(gains: Gains) -> list[Section]:
    """Text sections of gains: whom to contact first, then the table of the best model."""
    best = gains.best
    sections = [Section(lines=tuple(_headline_lines(best, several=len(gains.models) > 1)))]
    if len(gains.models) > 1:
        sections.append(_models_section(gains))
    sections += _groups_sections(best, several=len(gains.models) > 1)
    footnote = _footnote(best)
    if footnote:
        sections.append(Section(lines=(footnote,)))
    rankings = [model.ranking for model in gains.models]
    return [*sections, *notes_section(notes_and_warnings(rankings))]


@shows(ModelGains, "sections")
def model_gains_sections(gains: ModelGains) -> list[Section]:
    """Text sections of the gains of a single model."""
    return gains_sections(Gains((gains,)))


def _headline_lines(gains: ModelGains, *, several: bool) -> list[str]:
    """Lines of the conclusion: whom to contact and the profit, or the first group."""
    if gains.decision is None:
        return [_first_group_sentence(gains)]
    rule = _contact_rule(gains)
    lines = [f"{rule}."]
    if gains.costs is not None:
        alternatives = {
            "contacting everybody": gains.profit_of_everybody,
            "contacting nobody": gains.profit_of_nobody,
        }
        if _contacts(gains) == _size(gains):
            del alternatives["contacting everybody"]
        if not _contacts(gains) or not gains.profit_of_nobody:
            del alternatives["contacting nobody"]
        earned = campaign_sentence(gains.profit, alternatives, gains.wording)
        if _contacts(gains):
            lines = [f"{rule}: {earned}."]
        else:
            lines = [f"{rule}: no number of contacts earns anything; {earned}."]
        lines += _expectation_lines(gains)
    if _contacts(gains):
        lines.append(_response_sentence(gains))
    lines += [f"Note: {note}." for note in gains.decision.notes]
    lines += _most_profitable_line(gains)
    return [*lines[:1], *_model_line(gains, several=several), *lines[1:]]


def _model_line(gains: ModelGains, *, several: bool) -> list[str]:
    if not several or gains.costs is None:
        return []
    return [f"{printable(gains.ranking.name)} is the most profitable model."]


def _contact_rule(gains: ModelGains) -> str:
    """Whom to contact, as an imperative: "Contact the best 618 of 2,922 customers (p ≥ 0.1)"."""
    contacts, size = _contacts(gains), _size(gains)
    if not contacts:
        return "Contact nobody"
    if contacts == size:
        return f"Contact everybody: all {gains.wording.count(size)}"
    decision = gains.decision
    assert decision is not None  # noqa: S101 - the caller has checked it
    sign = "≤" if gains.ranking.lower_is_positive else "≥"
    rule = f"{printable(gains.ranking.name)} {sign} {chosen_threshold_text(decision)}"
    of_all = f"{format_count(size)} {gains.wording.noun(size)}"
    return f"Contact the best {format_count(contacts)} of {of_all} ({rule})"


def _expectation_lines(gains: ModelGains) -> list[str]:
    """What to expect on new data, and whether that beats contacting everybody."""
    expected = gains.expected_profit_per_row
    if math.isnan(expected):
        return []
    wording, size = gains.wording, float(gains.ranking.total)
    sentence = (
        f"On new data*, expect to {earning_phrase(expected * size, wording)} with "
        f"{wording.count(size)} like these ({wording.amount(expected)} per {wording.unit})"
    )
    if _contacts(gains) != _size(gains) and expected * size <= gains.profit_of_everybody:
        return [f"{sentence}: no more than contacting everybody."]
    if _contacts(gains) and expected * size <= gains.profit_of_nobody:
        return [f"{sentence}: no more than contacting nobody."]
    return [f"{sentence}."]


def _most_profitable_line(gains: ModelGains) -> list[str]:
    """The most profitable number of contacts, if another one was requested."""
    costs, decision = gains.costs, gains.decision
    if costs is None or decision is None or decision.criterion.measure == "expected_cost":
        return []
    best = replace(gains, decision=best_threshold(gains.ranking, costs=costs))
    if best.profit <= gains.profit:
        return []
    contacts, earning = format_count(_contacts(best)), earning_phrase(best.profit, gains.wording)
    return [f"The most profitable number is {contacts}: it would {earning}."]


def _response_sentence(gains: ModelGains) -> str:
    """Response of the contacted rows, and their share of all responders."""
    matrix = gains.contacted
    contacts, responders = float(matrix.predicted_positives), float(matrix.true_positives)
    total = float(gains.ranking.positives)
    lift = responders / contacts / (total / _size(gains))
    rate = format_percent(responders / contacts)
    share = format_percent(responders / total) if total else "undefined"
    return (
        f"{rate} of them respond ({format_count(responders)}), {format_significant(lift)} times "
        f"the rate of all: {share} of all {format_count(total)} responders."
    )


def _first_group_sentence(gains: ModelGains) -> str:
    """Share of responders in the first group, if neither costs nor contacts are given."""
    columns = gains.columns()
    rows, share = float(columns["rows"][0]), float(columns["cumulative_response"][0])
    lift = format_significant(float(columns["lift"][0]))
    group = GROUP_NAMES.get(gains.groups, "group")
    return (
        f"The first {group} ({_round_count(rows)} of {gains.wording.count(_size(gains))}) holds "
        f"{format_percent(share)} of the {format_count(gains.ranking.positives)} responders: "
        f"{lift} times as many as at random."
    )


def _models_section(gains: Gains) -> Section:
    """Table of the models, the most profitable first."""
    if gains.models[0].decision is None:
        rows = [
            (
                model.ranking.name,
                format_percent(float(model.columns()["cumulative_response"][0])),
                format_significant(float(model.columns()["lift"][0])),
            )
            for model in gains.models
        ]
        group = GROUP_NAMES.get(gains.models[0].groups, "group")
        return Section(table=(("", f"responders in the first {group}", "lift"), *rows))
    models = sorted(gains.models, key=lambda model: -_rank_value(model))
    has_costs = models[0].costs is not None
    has_estimate = any(not math.isnan(model.expected_profit_per_row) for model in models)
    header = ["", "threshold", "contact", "responders"]
    header += ["profit on new data*"] if has_estimate else []
    header += ["on these data"] if has_costs else []
    table = [tuple(header)]
    for model in models:
        assert model.decision is not None  # noqa: S101 - all models have one
        cells = [
            model.ranking.name,
            chosen_threshold_text(model.decision),
            format_count(_contacts(model)),
            format_count(model.contacted.true_positives),
        ]
        if has_estimate:
            total = model.expected_profit_per_row * float(model.ranking.total)
            cells.append("undefined" if math.isnan(total) else model.wording.amount(total))
        if has_costs:
            cells.append(model.wording.amount(model.profit))
        table.append(tuple(cells))
    return Section(table=tuple(table))


def _rank_value(gains: ModelGains) -> float:
    """Value by which models are ordered: the expected profit, or that on these rows."""
    if gains.costs is None:
        return 0.0
    expected = gains.expected_profit_per_row * float(gains.ranking.total)
    return gains.profit if math.isnan(expected) else expected


def _groups_sections(gains: ModelGains, *, several: bool) -> list[Section]:
    """Table of the groups, and a note on borders that cut through ties."""
    columns = gains.columns()
    group_name = GROUP_NAMES.get(gains.groups, "group")
    header = [
        group_name,
        gains.wording.units,
        "responders",
        "response rate",
        "lift",
        "cum. response",
        "cum. lift",
    ]
    currency = gains.wording.currency
    header += [f"cum. profit{currency and f', {currency}'}"] if gains.costs is not None else []
    table = [tuple(header)]
    for index in range(gains.groups):
        cells = [
            str(columns["group"][index]),
            _round_count(columns["rows"][index]),
            _round_count(columns["positives"][index]),
            format_percent(float(columns["response_rate"][index])),
            _lift_text(columns["lift"][index]),
            format_percent(float(columns["cumulative_response"][index])),
            _lift_text(columns["cumulative_lift"][index]),
        ]
        if gains.costs is not None:
            cells.append(format_amount_of_money(float(columns["cumulative_profit"][index])))
        table.append(tuple(cells))
    heading = f"Highest scores first: {printable(gains.ranking.name)}" if several else ""
    return [
        Section(heading, table=tuple(table)),
        *_ties_section(gains, columns["tied_rows"], group_name),
    ]


def _ties_section(gains: ModelGains, tied_rows: Sequence[Any], group_name: str) -> list[Section]:
    """Note on groups whose border cuts through tied scores."""
    cut_groups = [index + 1 for index, rows in enumerate(tied_rows) if rows]
    if not cut_groups:
        return []
    if 1 < len(cut_groups) == gains.groups:
        subject = f"All {group_name}s cut"
    elif len(cut_groups) > MAX_LISTED_GROUPS:
        subject = f"{len(cut_groups):,} of {gains.groups:,} {group_name}s cut"
    else:
        is_single = len(cut_groups) == 1
        noun = f"{group_name[0].upper()}{group_name[1:]}{'' if is_single else 's'}"
        subject = f"{noun} {format_list(cut_groups)} {'cuts' if is_single else 'cut'}"
    scores = "equal scores" if gains.ranking.exact else "equal or binned scores"
    profits = "" if gains.costs is None else " and profits"
    sentence = (
        f"{subject} through {gains.wording.units} with {scores}: their responders{profits} are "
        "expected values, as if ties were in random order."
    )
    return [Section(lines=(sentence,))]


def _footnote(gains: ModelGains) -> str:
    """How the profit on new data was estimated, or why it was not."""
    out_of_sample = gains.decision and gains.decision.out_of_sample
    if not out_of_sample or gains.costs is None:
        return ""
    if not isinstance(out_of_sample, OutOfSample):
        return f"Profit on new data is not estimated: {out_of_sample}"
    return (
        f"* {METHOD} ({out_of_sample.replicates:,} resamples, seed {out_of_sample.seed}): "
        f"the profit on {gains.wording.units} that were not used to choose the threshold."
    )


def _contacts(gains: ModelGains) -> float:
    return float(gains.contacted.predicted_positives)


def _size(gains: ModelGains) -> float:
    """Number of rows with a score, or the sum of their weights."""
    return float(gains.ranking.positives + gains.ranking.negatives)


def _round_count(count: Any) -> str:
    """A count, with one decimal if it is an expected count."""
    value = round(float(count), 6)
    return format_count(value) if value.is_integer() else f"{value:,.1f}"


def _lift_text(value: Any) -> str:
    return "undefined" if math.isnan(value) else f"{float(value):.2f}"


@shows(Gains, "document")
def gains_document(gains: Gains) -> dict[str, Any]:
    """JSON document of gains: the best model, and each model with its groups."""
    return {
        "schema": GAINS_SCHEMA,
        "best": gains.best.ranking.name,
        "models": [_model_document(model) for model in gains.models],
        "notes": notes_and_warnings([model.ranking for model in gains.models]),
    }


@shows(ModelGains, "document")
def model_gains_document(gains: ModelGains) -> dict[str, Any]:
    """JSON document of the gains of a single model."""
    return gains_document(Gains((gains,)))


def _model_document(gains: ModelGains) -> dict[str, Any]:
    ranking, decision = gains.ranking, gains.decision
    columns = gains.columns()
    document: dict[str, Any] = {
        "name": ranking.name,
        "positive": ranking.positive,
        "rows": json_value(ranking.total),
        "positives": json_value(ranking.positives),
        "unit": gains.wording.units,
        "currency": gains.wording.currency or None,
    }
    if decision is not None:
        document["contact"] = {
            "threshold": json_number(decision.threshold),
            "rule": f"score {'<=' if ranking.lower_is_positive else '>='} threshold",
            "rows": json_value(gains.contacted.predicted_positives),
            "positives": json_value(gains.contacted.true_positives),
            "notes": list(decision.notes),
        }
    if gains.costs is not None:
        expected = gains.expected_profit_per_row
        document["profit"] = {
            "contacted": gains.profit if decision is not None else None,
            "everybody": gains.profit_of_everybody,
            "nobody": gains.profit_of_nobody,
            "per_row_out_of_sample": json_number(expected),
        }
    document["groups"] = [
        {name: json_value(values[index]) for name, values in columns.items()}
        for index in range(gains.groups)
    ]
    return document
