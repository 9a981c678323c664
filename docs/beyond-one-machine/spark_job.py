"""Analyses a factor of a dataset on a Spark cluster: spark-submit spark_job.py DATASET FACTOR OUT [OPTIONS.json ...]

Each file of options is a variant of the analysis; its tables are in OUT/NAME/tables. Without one they are in OUT/tables.
All paths are seen by every node. The nodes need the command scoreframe, or what SCOREFRAME says instead.
A task whose worker dies is run again elsewhere: a part takes its name only when it is whole.
"""

import os
import shlex
import subprocess
import sys
from pathlib import Path

from pyspark.sql import SparkSession

dataset, factor, out, *files = (os.path.abspath(path) if "/" in path else path for path in sys.argv[1:])
command = shlex.split(os.environ.get("SCOREFRAME", "scoreframe"))
variants = {f"{out}/{Path(file).stem}": ["--options", os.path.abspath(file)] for file in files} or {out: []}


def threads():
    # A task has one core: more threads of Polars only take memory. A worker's own setting counts.
    return {"POLARS_MAX_THREADS": "1", **os.environ}


def scoreframe(*words):
    return subprocess.run([*command, "analyse", *words], check=True, stdout=subprocess.PIPE, text=True, env=threads())


def analyse(task):
    folder, partition = task
    part = f"{folder}/parts/{factor}-{partition}.parquet"
    scoreframe(dataset, "--factor", factor, "--partition", partition, "--out", part, *variants[folder])
    return folder, part


partitions = scoreframe(dataset, "--factor", factor, "--list").stdout.split()
tasks = [(folder, partition) for folder in variants for partition in partitions]
spark = SparkSession.builder.appName(f"scoreframe {factor}").getOrCreate()
parts = spark.sparkContext.parallelize(tasks, len(tasks)).map(analyse).collect()
for folder in variants:
    scoreframe("--merge", *(part for of, part in parts if of == folder), "--out", f"{folder}/tables")
