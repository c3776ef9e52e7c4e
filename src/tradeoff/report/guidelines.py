"""Reporting guidelines as data: their items by number and topic, in words of our own.

The numbers are those of the published checklists (STARD-AI 2025, TRIPOD+AI 2024). The topics and
the advice are short reminders, not the wording of the checklists, which authors should read.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tradeoff.errors import UnknownName, format_list

GuidelineName = Literal["stard-ai", "tripod-ai"]
FactName = Literal[
    "software", "rows", "prevalence", "outputs", "threshold", "measures", "methods",
    "indeterminate", "missing", "groups", "subgroups", "folds", "flow", "matrices", "accuracy",
    "calibration", "differences", "warnings",
]  # fmt: skip
"""What a report can say from its data; the functions are in `tradeoff.report.checklist`."""


@dataclass(frozen=True)
class GuidelineItem:
    """Item of a guideline: its number, its topic, and what the author must state.

    `facts` names what the data can say about it; they fill the item in unless it is `partly`
    about something else.
    """

    number: str
    topic: str
    advice: str
    facts: tuple[FactName, ...] = ()
    partly: bool = False


@dataclass(frozen=True)
class Guideline:
    """Reporting guideline: its title, its source and its items in order."""

    title: str
    source: str
    items: tuple[GuidelineItem, ...]


def find_guideline(name: str) -> Guideline:
    """Look up a guideline by its name.

    Example:
        >>> len(find_guideline("stard-ai").items), len(find_guideline("tripod-ai").items)
        (48, 52)
        >>> find_guideline("stard")
        Traceback (most recent call last):
        tradeoff.errors.UnknownName: No checklist is called 'stard'. Checklists: 'stard-ai' and ...
    """
    if name not in GUIDELINES:
        raise UnknownName(
            f"No checklist is called {name!r}. Checklists: {format_list(list(GUIDELINES))}."
        )
    return GUIDELINES[name]


_STARD_AI = (
    GuidelineItem(
        "1",
        "Title",
        "Name the study as one of the diagnostic accuracy of an AI system, with a measure of "
        "accuracy, in the title or the abstract.",
    ),
    GuidelineItem(
        "2",
        "Abstract",
        "Structure the abstract: design, methods, results, conclusions.",
    ),
    GuidelineItem(
        "3",
        "Background",
        "Describe the clinical question, what the test is for, whether it is new, and where it "
        "enters the workflow.",
    ),
    GuidelineItem(
        "4",
        "Objectives",
        "State the objectives and hypotheses.",
    ),
    GuidelineItem(
        "5",
        "Design",
        "State whether the collection of data was planned before both tests were done "
        "(prospective) or after (retrospective).",
    ),
    GuidelineItem(
        "6",
        "Ethics approval",
        "Name the committee that approved the study, or say why none had to.",
    ),
    GuidelineItem(
        "7",
        "Eligibility",
        "List criteria of inclusion and of exclusion in the order of their use, for "
        "participants and for data.",
    ),
    GuidelineItem(
        "8",
        "Identification",
        "Say how possible participants were found (symptoms, earlier tests, a registry).",
    ),
    GuidelineItem(
        "9",
        "Setting",
        "State where and when participants were found.",
    ),
    GuidelineItem(
        "10",
        "Sampling",
        "State whether the series is consecutive, random or of convenience.",
    ),
    GuidelineItem(
        "11",
        "Source of the data",
        "State where the data come from: routine care, this study, an open repository.",
    ),
    GuidelineItem(
        "12",
        "Annotation",
        "State who labelled the data, with which experience, and how.",
    ),
    GuidelineItem(
        "13",
        "Devices and software",
        "Name the devices that recorded the data and the software of the test, with versions.",
        ("software",),
        partly=True,
    ),
    GuidelineItem(
        "14",
        "Acquisition and preprocessing",
        "Describe how data were recorded and prepared, so that both can be repeated.",
    ),
    GuidelineItem(
        "15a",
        "Index test",
        "Describe the test so that others can repeat it.",
        ("outputs",),
        partly=True,
    ),
    GuidelineItem(
        "15b",
        "Development of the index test",
        "Describe how the test was trained, validated and tested, with the size of each data set.",
        ("rows",),
        partly=True,
    ),
    GuidelineItem(
        "15c",
        "Threshold of the index test",
        "State why this threshold was chosen, and whether that was before the data were seen.",
        ("threshold",),
    ),
    GuidelineItem(
        "15d",
        "Users",
        "State who will use the test and which expertise they need.",
    ),
    GuidelineItem(
        "16a",
        "Reference standard",
        "Describe the reference standard so that others can repeat it.",
    ),
    GuidelineItem(
        "16b",
        "Choice of the reference standard",
        "Say why this reference standard was chosen, if there are others.",
    ),
    GuidelineItem(
        "16c",
        "Threshold of the reference standard",
        "Define the classes of the reference standard, and state whether that was before the "
        "data were seen.",
        ("prevalence",),
        partly=True,
    ),
    GuidelineItem(
        "17a",
        "Blinding of the index test",
        "State what was known to those who ran or read the test.",
    ),
    GuidelineItem(
        "17b",
        "Blinding of the reference standard",
        "State what was known to those who assessed the reference standard.",
    ),
    GuidelineItem(
        "18",
        "Statistical methods",
        "State how accuracy was estimated and compared.",
        ("methods",),
    ),
    GuidelineItem(
        "19",
        "Indeterminate results",
        "State how results that are neither positive nor negative were handled.",
        ("indeterminate",),
    ),
    GuidelineItem(
        "20",
        "Missing data",
        "State how missing results of either test were handled.",
        ("missing",),
    ),
    GuidelineItem(
        "21",
        "Variability",
        "Describe analyses of how accuracy varies, planned or exploratory; --segment and "
        "--fold add them to this page.",
        (
            "subgroups",
            "folds",
        ),
        partly=True,
    ),
    GuidelineItem(
        "22",
        "Sample size",
        "State the intended size of the sample and how it was determined.",
        ("rows",),
        partly=True,
    ),
    GuidelineItem(
        "23",
        "Errors, bias and fairness",
        "Describe how errors, bias and fairness were examined; --segment adds groups to this page.",
        ("groups",),
        partly=True,
    ),
    GuidelineItem(
        "24",
        "Flow of participants",
        "Draw the flow of participants, with those who were excluded.",
        ("flow",),
        partly=True,
    ),
    GuidelineItem(
        "25",
        "Characteristics",
        "Describe the participants and the recordings of each data set (training, validation, "
        "test).",
        ("rows",),
        partly=True,
    ),
    GuidelineItem(
        "26a",
        "Severity",
        "Describe how severe the condition was in those who had it.",
    ),
    GuidelineItem(
        "26b",
        "Other diagnoses",
        "Describe the diagnoses of those without the condition.",
    ),
    GuidelineItem(
        "27",
        "Time between the tests",
        "State the time and any treatment between both tests.",
    ),
    GuidelineItem(
        "28",
        "Representativeness",
        "Say whether the condition is as frequent as where the test will be used; "
        "--prevalence shows results at another prevalence.",
        ("prevalence",),
        partly=True,
    ),
    GuidelineItem(
        "29",
        "External data",
        "Describe how external data differ from those of the development.",
    ),
    GuidelineItem(
        "30",
        "Cross-tabulation",
        "Tabulate the results of the test against the reference standard.",
        ("matrices",),
    ),
    GuidelineItem(
        "31",
        "Estimates of accuracy",
        "Give estimates of accuracy with confidence intervals.",
        (
            "accuracy",
            "differences",
        ),
    ),
    GuidelineItem(
        "32",
        "Adverse events",
        "Report any harm from either test.",
    ),
    GuidelineItem(
        "33",
        "Limitations",
        "Discuss sources of bias, uncertainty and how far the results apply.",
        ("warnings",),
        partly=True,
    ),
    GuidelineItem(
        "34",
        "Implications",
        "Discuss the use of the test in practice.",
    ),
    GuidelineItem(
        "35",
        "Ethics and fairness of use",
        "Discuss ethical questions and fairness in the use of the test.",
    ),
    GuidelineItem(
        "36",
        "Registration",
        "Give the number and name of the registry.",
    ),
    GuidelineItem(
        "37",
        "Protocol",
        "State where the protocol can be read.",
    ),
    GuidelineItem(
        "38",
        "Funding",
        "Name sources of funding and the role of the funders.",
    ),
    GuidelineItem(
        "39",
        "Commercial interests",
        "Declare commercial interests.",
    ),
    GuidelineItem(
        "40a",
        "Data and code",
        "State whether data and code are available, and under which conditions.",
        ("software",),
        partly=True,
    ),
    GuidelineItem(
        "40b",
        "Stored outputs",
        "State whether the outputs of the test are stored and can be audited.",
    ),
)
_TRIPOD_AI = (
    GuidelineItem(
        "1",
        "Title",
        "Name the study as one that develops or evaluates a prediction model, with the "
        "population and the outcome.",
    ),
    GuidelineItem(
        "2",
        "Abstract",
        "Follow TRIPOD+AI for Abstracts.",
    ),
    GuidelineItem(
        "3a",
        "Background: context",
        "Describe the healthcare context, diagnostic or prognostic, why the model is needed, "
        "and existing models.",
    ),
    GuidelineItem(
        "3b",
        "Background: purpose",
        "Describe for whom the model is meant, where in the care pathway, and who will use it.",
    ),
    GuidelineItem(
        "3c",
        "Background: inequalities",
        "Describe known health inequalities between groups.",
    ),
    GuidelineItem(
        "4",
        "Objectives",
        "State the objectives: development, evaluation or both.",
    ),
    GuidelineItem(
        "5a",
        "Data: sources",
        "Describe the sources of the data of development and evaluation, and how representative"
        " they are.",
    ),
    GuidelineItem(
        "5b",
        "Data: dates",
        "State when participants entered, and when follow-up ended.",
    ),
    GuidelineItem(
        "6a",
        "Participants: setting",
        "Describe the setting, with the number and places of centres.",
    ),
    GuidelineItem(
        "6b",
        "Participants: eligibility",
        "State the criteria of eligibility.",
    ),
    GuidelineItem(
        "6c",
        "Participants: treatments",
        "Describe treatments and how the analysis accounts for them.",
    ),
    GuidelineItem(
        "7",
        "Data preparation",
        "Describe preprocessing and checks of quality, and whether they were alike in all groups.",
    ),
    GuidelineItem(
        "8a",
        "Outcome: definition",
        "Define the outcome, its time horizon, and how and when it was assessed.",
        ("prevalence",),
        partly=True,
    ),
    GuidelineItem(
        "8b",
        "Outcome: assessors",
        "Describe the assessors, if the outcome needs judgement.",
    ),
    GuidelineItem(
        "8c",
        "Outcome: blinding",
        "State whether assessors of the outcome were blinded.",
    ),
    GuidelineItem(
        "9a",
        "Predictors: choice (development)",
        "State which predictors were considered, and why.",
    ),
    GuidelineItem(
        "9b",
        "Predictors: definition",
        "Define the predictors, how and when they were measured, and any blinding.",
    ),
    GuidelineItem(
        "9c",
        "Predictors: assessors",
        "Describe the assessors, if predictors need judgement.",
    ),
    GuidelineItem(
        "10",
        "Sample size",
        "State how the size was determined and why it suffices, for development and evaluation;"
        " tradeoff power computes it.",
        ("rows",),
        partly=True,
    ),
    GuidelineItem(
        "11",
        "Missing data",
        "State how missing data were handled and why data were left out.",
        ("missing",),
        partly=True,
    ),
    GuidelineItem(
        "12a",
        "Methods: use of the data (development)",
        "Describe how data were divided between development and evaluation.",
    ),
    GuidelineItem(
        "12b",
        "Methods: predictors (development)",
        "Describe how predictors entered the model.",
    ),
    GuidelineItem(
        "12c",
        "Methods: model (development)",
        "Describe the type of model, all steps of building and tuning it, and the internal "
        "validation.",
    ),
    GuidelineItem(
        "12d",
        "Methods: clusters",
        "Describe how differences between clusters, such as hospitals, were handled.",
    ),
    GuidelineItem(
        "12e",
        "Methods: measures of performance",
        "Name all measures and plots of performance, and why they were chosen.",
        ("measures", "methods"),
    ),
    GuidelineItem(
        "12f",
        "Methods: updating (evaluation)",
        "Describe any updating of the model, such as recalibration.",
    ),
    GuidelineItem(
        "12g",
        "Methods: predictions (evaluation)",
        "Describe how predictions were computed: formula, code, interface.",
    ),
    GuidelineItem(
        "13",
        "Class imbalance",
        "Describe methods against class imbalance, why they were used, and any recalibration "
        "after them.",
        ("prevalence",),
        partly=True,
    ),
    GuidelineItem(
        "14",
        "Fairness",
        "Describe approaches to fairness and their reasons; --segment adds groups to this page.",
        ("groups",),
        partly=True,
    ),
    GuidelineItem(
        "15",
        "Model output (development)",
        "State what the model returns, and how thresholds were chosen.",
        (
            "outputs",
            "threshold",
        ),
    ),
    GuidelineItem(
        "16",
        "Development and evaluation data",
        "Describe how both differ in setting, eligibility, outcome and predictors.",
    ),
    GuidelineItem(
        "17",
        "Ethics approval",
        "Name the committee that approved the study, and describe the informed consent or its "
        "waiver.",
    ),
    GuidelineItem(
        "18a",
        "Funding",
        "Name the source of funding and the role of the funders.",
    ),
    GuidelineItem(
        "18b",
        "Conflicts of interest",
        "Declare conflicts of interest of all authors.",
    ),
    GuidelineItem(
        "18c",
        "Protocol",
        "State where the protocol can be read, or that there is none.",
    ),
    GuidelineItem(
        "18d",
        "Registration",
        "Give the registry and the number, or say that the study is not registered.",
    ),
    GuidelineItem(
        "18e",
        "Data sharing",
        "State whether the data are available.",
    ),
    GuidelineItem(
        "18f",
        "Code sharing",
        "State whether the code of the analysis is available.",
        ("software",),
        partly=True,
    ),
    GuidelineItem(
        "19",
        "Patients and public",
        "Describe how patients or the public were involved, or say that they were not.",
    ),
    GuidelineItem(
        "20a",
        "Participants: flow",
        "Describe the flow of participants and the follow-up time.",
        ("flow",),
        partly=True,
    ),
    GuidelineItem(
        "20b",
        "Participants: characteristics",
        "Describe participants overall and by source, with the amount of missing data and "
        "differences between groups.",
        (
            "rows",
            "missing",
        ),
        partly=True,
    ),
    GuidelineItem(
        "20c",
        "Participants: comparison (evaluation)",
        "Compare the distributions of important predictors with those of the development data.",
    ),
    GuidelineItem(
        "21",
        "Participants and events in each analysis",
        "State participants and events of development and tuning, too.",
        ("rows",),
        partly=True,
    ),
    GuidelineItem(
        "22",
        "Model specification (development)",
        "Give the full model, so that others can predict with it, and any restrictions of its use.",
    ),
    GuidelineItem(
        "23a",
        "Performance",
        "Give estimates of performance with confidence intervals, also of key groups; "
        "--segment adds them.",
        (
            "accuracy",
            "calibration",
            "differences",
            "subgroups",
        ),
    ),
    GuidelineItem(
        "23b",
        "Performance by cluster",
        "Report how performance varies between clusters, if this was examined; --fold adds them.",
        ("folds",),
    ),
    GuidelineItem(
        "24",
        "Updating (evaluation)",
        "Report the results of any updating of the model.",
    ),
    GuidelineItem(
        "25",
        "Interpretation",
        "Interpret the main results, with questions of fairness, in view of earlier studies.",
    ),
    GuidelineItem(
        "26",
        "Limitations",
        "Discuss limitations and what they mean for bias, uncertainty and generalisability.",
        ("warnings",),
        partly=True,
    ),
    GuidelineItem(
        "27a",
        "Use: input data (development)",
        "Describe how input data that are poor or missing should be handled in use.",
    ),
    GuidelineItem(
        "27b",
        "Use: users (development)",
        "State what users must do, and which expertise they need.",
    ),
    GuidelineItem(
        "27c",
        "Use: next steps",
        "Discuss further research on where the model applies.",
    ),
)

GUIDELINES: dict[str, Guideline] = {
    "stard-ai": Guideline(
        "STARD-AI 2025: studies of the diagnostic accuracy of AI systems",
        "Sounderajah V et al. The STARD-AI reporting guideline for diagnostic accuracy studies "
        "using artificial intelligence. Nat Med 2025;31:3283–3289, doi:10.1038/s41591-025-03953-8. "
        "Items are listed by number and topic; the checklist itself has their full wording.",
        _STARD_AI,
    ),
    "tripod-ai": Guideline(
        "TRIPOD+AI 2024: studies of clinical prediction models",
        "Collins GS et al. TRIPOD+AI statement: updated guidance for reporting clinical prediction "
        "models that use regression or machine learning methods. BMJ 2024;385:e078378, "
        "doi:10.1136/bmj-2023-078378. Items are listed by number and topic; the checklist itself "
        "has their full wording.",
        _TRIPOD_AI,
    ),
}
"""Reporting guidelines by name."""
