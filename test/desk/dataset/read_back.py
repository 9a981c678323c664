"""Prints the rows of a table of a dataset as JSON, read by one engine: read_back.py ENGINE DATASET TABLE COLUMN..."""

import datetime
import json
import pathlib
import sys

engine, dataset, table, *columns = sys.argv[1:]
state = json.loads(max(pathlib.Path(dataset).glob("states/*/state.json")).read_text())
files = [f"{dataset}/{file['path']}" for file in state["files"] if file["table"] == table]


def rows():
    if engine == "polars":
        import polars

        return polars.scan_parquet(files, hive_partitioning=True).select(columns).collect().rows()
    if engine == "duckdb":
        import duckdb

        duckdb.sql("SET TimeZone = 'UTC'")
        names = ', '.join(f'"{name}"' for name in columns)
        source = f"read_parquet({files}, hive_partitioning = true)"
        return duckdb.sql(f"SELECT {names} FROM {source}").fetchall()
    if engine == "pyarrow":
        import pyarrow.parquet

        rows = pyarrow.parquet.read_table(files, columns=columns)
        return list(zip(*(column.to_pylist() for column in rows.columns)))
    if engine == "pandas":
        import pandas

        frame = pandas.read_parquet(files, columns=columns).astype(object)
        return frame.where(frame.notna(), None).values.tolist()
    raise SystemExit(f"no engine {engine}")


def plain(value):
    if isinstance(value, datetime.datetime):
        return value.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"
    return value.isoformat() if isinstance(value, datetime.date) else value


print(json.dumps([[plain(value) for value in row] for row in rows()]))
