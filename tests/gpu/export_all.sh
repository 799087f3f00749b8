#!/bin/sh
# export_all.sh EXPORT_JOB WORKLOADS FOLDER: exports every launch file of a CUDA or PTX program below
# WORKLOADS to a folder of its own below FOLDER, ready for run_on_device.py on another machine.
set -eu
export_job=$1
workloads=$2
folder=$3
mkdir -p "$folder"
for launch in "$workloads"/*/*.yaml; do
  grep -q '^program: .*\.\(cu\|ptx\)' "$launch" || continue
  name=$(basename "$(dirname "$launch")")-$(basename "$launch" .yaml)
  "$export_job" "$launch" "$folder/$name"
done
