"""Prints the ends of what failed tests said, over meson's logs: failures.py LOG...

Behind all other output, where a log that is cut in the middle still has it.
"""
import json
import os
import sys

LINES, COLUMNS = 60, 300

for path in sys.argv[1:]:
    if not os.path.exists(path):
        continue
    with open(path) as log:
        for test in map(json.loads, log):
            if test["result"] in ("OK", "EXPECTEDFAIL", "SKIP"):
                continue
            print(f"== {path}: {test['name']}: {test['result']}")
            said = (test.get("stdout") or "") + (test.get("stderr") or "")
            for line in said.splitlines()[-LINES:]:
                print(line[:COLUMNS])
