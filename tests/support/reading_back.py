"""What was logged, read back."""

import json

import tradeoff as to


def few_numbers():
    """Rows of one class: nothing to draw again, so that logging is quick."""
    return to.evaluate(actual=[1, 1], score=[0.9, 0.4])


def artefact(client, run, path):
    return client.download_artifacts(run, path)


def document(client, run, path):
    with open(artefact(client, run, path), encoding="utf-8") as file:  # noqa: PTH123
        return json.load(file)


def undefined(client, run):
    return document(client, run, "tradeoff/undefined.json")["undefined"]
