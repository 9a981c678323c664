"""Prints the rows of a table of a dataset as JSON, read by one engine: read_back.py ENGINE TABLE_FOLDER COLUMN..."""

import datetime
import json
import sys

engine, folder, *columns = sys.argv[1:]


def rows():
    if engine == "polars":
        import polars

        return polars.scan_parquet(folder, hive_partitioning=True).select(columns).collect().rows()
    if engine == "duckdb":
        import duckdb

        duckdb.sql("SET TimeZone = 'UTC'")
        names = ', '.join(f'"{name}"' for name in columns)
        source = f"read_parquet('{folder}/**/*.parquet', hive_partitioning = true)"
        return duckdb.sql(f"SELECT {names} FROM {source}").fetchall()
    if engine == "pyarrow":
        import pyarrow.dataset

        # The files have the factor themselves.
        year = pyarrow.schema([("year", pyarrow.int32())])
        hive = pyarrow.dataset.partitioning(year, flavor="hive")
        table = pyarrow.dataset.dataset(folder, partitioning=hive).to_table(columns)
        return list(zip(*(column.to_pylist() for column in table.columns)))
    raise SystemExit(f"no engine {engine}")


def plain(value):
    if isinstance(value, datetime.datetime):
        return value.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"
    return value.isoformat() if isinstance(value, datetime.date) else value


print(json.dumps([[plain(value) for value in row] for row in rows()]))
