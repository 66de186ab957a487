"""Diagnostics -> JSON, and SARIF 2.1.0 for continuous integration."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from ruleset.diagnostics.codes import codes
from ruleset.diagnostics.diagnostic import Diagnostic
from ruleset.source import Span


def as_json(found: Sequence[Diagnostic]) -> str:
    """A list of objects; lines and columns count from 1, ``end`` is the place after the last."""
    return json.dumps([_object(diagnostic) for diagnostic in found], ensure_ascii=False, indent=2)


def _object(diagnostic: Diagnostic) -> dict[str, Any]:
    return {
        **_place(diagnostic.span),
        "code": diagnostic.code,
        "severity": diagnostic.severity,
        "message": diagnostic.message,
        "within": diagnostic.within,
        "helps": list(diagnostic.helps),
        "notes": list(diagnostic.notes),
        "labels": [{**_place(label.span), "text": label.text} for label in diagnostic.labels],
    }


def _place(span: Span | None) -> dict[str, Any]:
    if span is None:
        return {"file": None, "line": None, "column": None, "end": None}
    line, column = span.source.position(span.end)
    return {
        "file": span.source.name,
        "line": span.line,
        "column": span.column,
        "end": {"line": line, "column": column},
    }


def as_sarif(found: Sequence[Diagnostic]) -> str:
    """One run of the tool with its results; columns count characters."""
    titles = codes()
    used = sorted({diagnostic.code for diagnostic in found})
    rules = [{"id": code, "shortDescription": {"text": titles.get(code, code)}} for code in used]
    run = {
        "tool": {"driver": {"name": "rulewright", "rules": rules}},
        "columnKind": "unicodeCodePoints",
        "results": [_result(diagnostic, used.index(diagnostic.code)) for diagnostic in found],
    }
    log = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [run],
    }
    return json.dumps(log, ensure_ascii=False, indent=2)


def _result(diagnostic: Diagnostic, index: int) -> dict[str, Any]:
    more = [*diagnostic.helps, *diagnostic.notes]
    result: dict[str, Any] = {
        "ruleId": diagnostic.code,
        "ruleIndex": index,
        "level": diagnostic.severity,
        "message": {"text": "\n".join([diagnostic.message, *more])},
    }
    if diagnostic.labels:
        first, *others = diagnostic.labels
        result["locations"] = [{"physicalLocation": _location(first.span)}]
        if others:
            result["relatedLocations"] = [
                {
                    "id": i,
                    "physicalLocation": _location(label.span),
                    "message": {"text": label.text},
                }
                for i, label in enumerate(others, 1)
            ]
    return result


def _location(span: Span) -> dict[str, Any]:
    line, column = span.source.position(span.end)
    return {
        "artifactLocation": {"uri": quote(span.source.name.replace("\\", "/"))},
        "region": {
            "startLine": span.line,
            "startColumn": span.column,
            "endLine": line,
            "endColumn": column,
        },
    }
