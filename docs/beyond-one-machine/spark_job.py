"""Analyses a factor of a dataset on a Spark cluster: spark-submit spark_job.py DATASET FACTOR OUT

DATASET and OUT are paths that every node sees. The nodes need the command scoreframe, or what SCOREFRAME says instead.
A task whose worker dies is run again elsewhere: a part takes its name only when it is whole.
"""

import json
import os
import shlex
import subprocess
import sys

from pyspark.sql import SparkSession

dataset, factor, out = (os.path.abspath(path) if "/" in path else path for path in sys.argv[1:])
command = shlex.split(os.environ.get("SCOREFRAME", "scoreframe"))


def analyse(year):
    part = f"{out}/parts/{factor}-{year}.parquet"
    partition = ["--factor", factor, "--partition", f"year={year}", "--out", part]
    subprocess.run([*command, "analyse", dataset, *partition], check=True)
    return part


with open(f"{dataset}/manifest.json") as file:
    partitions = json.load(file)["partitions"]
years = [p["year"] for p in partitions if p["table"] == "scores" and p["factor"] == factor]
spark = SparkSession.builder.appName(f"scoreframe {factor}").getOrCreate()
parts = spark.sparkContext.parallelize(years, len(years)).map(analyse).collect()
subprocess.run([*command, "analyse", "--merge", *parts, "--out", f"{out}/tables"], check=True)
