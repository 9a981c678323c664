"""Validates an RO-Crate with roc-validator, without the network, and prints what it found as JSON.

The validator asks w3id.org for the terms of the standard. A copy of them, compressed, is given in place of an answer,
and every other address is refused.

usage: validate_crate.py CRATE CONTEXT SEVERITY
"""

import gzip
import json
import socket
import sys

from requests import Response
from rocrate_validator import models, services
from rocrate_validator.utils.http import HttpRequester

CONTEXT_URL = "https://w3id.org/ro/crate/1.2/context"

crate, context, severity = sys.argv[1:]


def refuse(*_args, **_kwargs):
    raise OSError("a validation sends nothing")


def get(_self, url, **_kwargs):
    if url != CONTEXT_URL:
        refuse()
    response = Response()
    response.status_code = 200
    response.headers["Content-Type"] = "application/ld+json"
    with gzip.open(context, "rb") as file:
        response._content = file.read()
    return response


socket.socket.connect = refuse
socket.getaddrinfo = refuse
HttpRequester.get = get

result = services.validate(
    models.ValidationSettings(
        rocrate_uri=crate,
        profile_identifier="ro-crate-1.2",
        requirement_severity=getattr(models.Severity, severity),
    )
)
issues = [f"{issue.check.identifier}: {issue.message}" for issue in result.get_issues()]
print(json.dumps({"passed": result.passed(), "issues": sorted(issues)}))
