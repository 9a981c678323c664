#!/bin/bash
# Analyses a factor of a dataset with GNU parallel, on this machine or on those of --sshloginfile:
#   parallel.sh DATASET FACTOR OUT
set -euo pipefail
# Of this machine; for those of --sshloginfile add --env POLARS_MAX_THREADS to parallel.
export POLARS_MAX_THREADS="${POLARS_MAX_THREADS:-1}"
dataset=$1 factor=$2 out=$3
scoreframe analyse "$dataset" --factor "$factor" --list | parallel --halt now,fail=1 --retries 3 \
  scoreframe analyse "$dataset" --factor "$factor" --partition {} --out "$out/parts/$factor-{}.parquet"
scoreframe analyse --merge "$out"/parts/*.parquet --out "$out/tables"
