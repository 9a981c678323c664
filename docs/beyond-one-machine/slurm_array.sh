#!/bin/bash
# Analyses a factor of a dataset as a Slurm array, one year a task, and merges when all are done. The years are those that
# `scoreframe analyse DATASET --factor FACTOR --list` prints:
#   sbatch --export=DATASET=/data/desk,FACTOR=ecpnd,OUT=/scratch/ecpnd --array=2016-2026 slurm_array.sh
#   sbatch --export=… --dependency=afterok:JOB --wrap 'scoreframe analyse --merge $OUT/parts/*.parquet --out $OUT/tables'
#SBATCH --cpus-per-task=1
#SBATCH --mem=4G
#SBATCH --requeue
set -euo pipefail
export POLARS_MAX_THREADS="${POLARS_MAX_THREADS:-${SLURM_CPUS_PER_TASK:-1}}"
scoreframe analyse "$DATASET" --factor "$FACTOR" --partition "year=$SLURM_ARRAY_TASK_ID" \
  --out "$OUT/parts/$FACTOR-$SLURM_ARRAY_TASK_ID.parquet"
