#!/bin/sh
# test_gpu.sh EXPORT_JOB WORKLOADS: runs every CUDA workload and every PTX operation (make_operations.py) on a
# real device and compares it with its `expect` and with the simulator. Exits 77 with a reason where there
# is no device.
set -eu
export_job=$1
workloads=$2
here=$(dirname "$0")
python3 "$here/run_on_device.py" --probe
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 "$here/make_operations.py" "$folder/operations"
"$here/export_all.sh" "$export_job" "$workloads" "$folder/exported"
"$here/export_all.sh" "$export_job" "$folder/operations" "$folder/exported"
python3 "$here/run_on_device.py" "$folder"/exported/*/
