"""Analyses a factor of a dataset on a Spark cluster: spark-submit spark_job.py DATASET FACTOR OUT

DATASET and OUT are paths that every node sees. The nodes need the command scoreframe, or what SCOREFRAME says instead.
A task whose worker dies is run again elsewhere: a part takes its name only when it is whole.
"""

import os
import shlex
import subprocess
import sys

from pyspark.sql import SparkSession

dataset, factor, out = (os.path.abspath(path) if "/" in path else path for path in sys.argv[1:])
command = shlex.split(os.environ.get("SCOREFRAME", "scoreframe"))


def threads():
    # A task has one core: more threads of Polars only take memory. A worker's own setting counts.
    return {"POLARS_MAX_THREADS": "1", **os.environ}


def scoreframe(*words):
    return subprocess.run([*command, "analyse", *words], check=True, stdout=subprocess.PIPE, text=True, env=threads())


def analyse(partition):
    part = f"{out}/parts/{factor}-{partition}.parquet"
    scoreframe(dataset, "--factor", factor, "--partition", partition, "--out", part)
    return part


partitions = scoreframe(dataset, "--factor", factor, "--list").stdout.split()
spark = SparkSession.builder.appName(f"scoreframe {factor}").getOrCreate()
parts = spark.sparkContext.parallelize(partitions, len(partitions)).map(analyse).collect()
scoreframe("--merge", *parts, "--out", f"{out}/tables")
