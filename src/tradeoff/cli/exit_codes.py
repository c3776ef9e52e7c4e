"""Exit codes of the program."""

SUCCESS, NEGATIVE_VERDICT, INPUT_ERROR, INCONCLUSIVE = 0, 1, 2, 3
INTERNAL_ERROR, INTERRUPTED = 70, 130

EXIT_CODES = {
    SUCCESS: "Success; a gate passed, a check found no problem.",
    NEGATIVE_VERDICT: "A negative verdict of gate, check or validate; of no other command.",
    INPUT_ERROR: "Invalid input or options; one sentence says what to change.",
    INCONCLUSIVE: "An inconclusive gate: the rows do not decide.",
    INTERNAL_ERROR: "An internal error, to be reported; TRADEOFF_DEBUG=1 shows the traceback.",
    INTERRUPTED: "Interrupted by Ctrl-C or SIGTERM; nothing was written.",
}
"""Meaning of each exit code, as in `tradeoff --help`."""

VERDICT_KEY = "tradeoff.verdict"
"""Key in a click context's `meta` of a verdict's exit code, known before it is printed."""
