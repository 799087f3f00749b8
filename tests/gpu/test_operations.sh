#!/bin/sh
# test_operations.sh EXPORT_JOB: simulates every PTX operation of make_operations.py on many operands. All must be
# compiled and run, and approximate ones be as near as the manual promises.
set -eu
export_job=$1
here=$(dirname "$0")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 "$here/make_operations.py" "$folder/operations"
"$here/export_all.sh" "$export_job" "$folder/operations" "$folder/exported"
! grep -L '"status" : "ok"' "$folder"/exported/*/job.json | grep .
