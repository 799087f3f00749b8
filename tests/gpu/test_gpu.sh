#!/bin/sh
# test_gpu.sh EXPORT_JOB WORKLOADS: runs every CUDA workload on a real device and compares it with its
# `expect` and with the simulator. Exits 77 with a reason where there is no device.
set -eu
export_job=$1
workloads=$2
here=$(dirname "$0")
python3 "$here/run_on_device.py" --probe
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$here/export_all.sh" "$export_job" "$workloads" "$folder"
python3 "$here/run_on_device.py" "$folder"/*/
