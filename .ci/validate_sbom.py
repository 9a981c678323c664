"""Validates a bill of materials by the schema of CycloneDX, and prints what it found as JSON.

usage: validate_sbom.py FILE.cdx.json
"""

import json
import sys

from cyclonedx.model.bom import Bom
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

with open(sys.argv[1], encoding="utf-8") as file:
    text = file.read()
errors = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text, all_errors=True) or []
bill = Bom.from_json(json.loads(text))
bill.validate()
print(json.dumps({"errors": [str(error) for error in errors], "components": len(bill.components)}))
