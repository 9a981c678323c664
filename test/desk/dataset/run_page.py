"""Prints how many rows each line of the schema pages of a dataset reads, as JSON: run_page.py DATASET"""

import json
import pathlib
import re
import sys

import duckdb
import pandas
import polars
import pyarrow.parquet
from pyspark.sql import SparkSession

dataset = sys.argv[1]
spark = (
    SparkSession.builder.master("local[1]")
    .config("spark.ui.enabled", "false")
    .config("spark.sql.shuffle.partitions", "1")
    .getOrCreate()
)


def count(table):
    if isinstance(table, polars.LazyFrame):
        return table.collect().height
    return table.count() if hasattr(table, "rdd") else len(table)


def read(page):
    python = re.search(r"```python\n(.*?)```", page, re.DOTALL).group(1)
    lines = python.replace("DATASET", dataset).strip().split("\n")
    names = dict(globals())
    exec("\n".join(lines[:3]), names)
    return {line.split(".")[0]: count(eval(line, names)) for line in lines[3:]}


pages = sorted(pathlib.Path(dataset).glob("states/*/schema.md"))
print(json.dumps([read(page.read_text()) for page in pages]))
