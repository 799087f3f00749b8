#!/usr/bin/env python3
"""calibration_page.py TABLES PAGE [--check]: puts what `calibrate` prints between the two marks in
docs/model.md, or says (exit code 1) that the page is out of date."""
import sys

BEGIN = '<!-- begin: written by ninja update-calibration -->\n'
END = '<!-- end -->\n'

tables, path = sys.argv[1:3]
with open(path, encoding='utf-8') as page:
    old = page.read()
with open(tables, encoding='utf-8') as text:
    new = text.read()
before, rest = old.split(BEGIN)
_, after = rest.split(END)
wanted = before + BEGIN + new + END + after
if '--check' in sys.argv:
    if wanted != old:
        sys.exit(f'{path} is out of date; run: ninja -C build update-calibration')
elif wanted != old:
    with open(path, 'w', encoding='utf-8') as page:
        page.write(wanted)
