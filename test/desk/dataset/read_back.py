"""Prints the rows of versions of a Delta table as JSON, read by one engine by its path alone:
read_back.py ENGINE TABLE VERSION,... COLUMN...
"""

import datetime
import json
import os
import sys

from deltalake import DeltaTable

engine, path, versions, *columns = sys.argv[1:]


def rows(version):
    if engine == "polars":
        import polars

        return polars.scan_delta(path, version=version).select(columns).collect().rows()
    if engine == "spark":
        from pyspark.sql import SparkSession

        delta = "org.apache.spark.sql.delta.catalog.DeltaCatalog"
        spark = (
            SparkSession.builder.master("local[1]")
            .config("spark.ui.enabled", "false")
            .config("spark.jars.packages", "io.delta:delta-spark_2.13:4.0.0")
            .config("spark.sql.extensions", "io.delta.sql.DeltaSparkSessionExtension")
            .config("spark.sql.catalog.spark_catalog", delta)
            .config("spark.databricks.delta.snapshotPartitions", "1")
            .getOrCreate()
        )
        reader = spark.read.format("delta").option("versionAsOf", version)
        return [list(row) for row in reader.load(path).select(*columns).collect()]
    table = DeltaTable(path, version=version)
    if engine == "pandas":
        frame = table.to_pandas(columns=columns).astype(object)
        return frame.where(frame.notna(), None).values.tolist()
    if engine == "duckdb":
        import duckdb

        duckdb.sql("SET TimeZone = 'UTC'")
        delta = table.to_pyarrow_dataset()
        return duckdb.sql(f"SELECT {', '.join(columns)} FROM delta").fetchall()
    raise SystemExit(f"no engine {engine}")


def plain(value):
    if isinstance(value, datetime.datetime):
        return value.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"
    return value.isoformat() if isinstance(value, datetime.date) else value


print(json.dumps([[[plain(value) for value in row] for row in rows(int(one))] for one in versions.split(",")]))
sys.stdout.flush()
# Threads of pyarrow that outlive the interpreter would abort it.
os._exit(0)
