#!/bin/sh
# export_all.sh EXPORT_JOB WORKLOADS FOLDER: exports every launch file of a CUDA or PTX program below
# WORKLOADS to a folder of its own below FOLDER, ready for run_on_device.py on another machine. Of the labs
# the launches that students get are exported, with the reference in place of what is handed in; compilers
# contract and order sums differently, so their floats may differ by 1e-5.
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
for lab in "$workloads"/labs/*/; do
  [ -d "$lab/reference" ] || continue
  name=$(basename "$lab")
  mkdir -p "$folder.labs/$name"
  cp -R "$lab"/public "$lab"/reference/. "$folder.labs/$name"
  for launch in "$folder.labs/$name"/public/*.yaml; do
    grep -q '^program: .*\.\(cu\|ptx\)' "$launch" || continue
    "$export_job" "$launch" "$folder/lab-$name-$(basename "$launch" .yaml)" 1e-5
  done
done
rm -rf "$folder.labs"
