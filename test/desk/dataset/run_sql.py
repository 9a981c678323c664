"""Prints what the queries of a folder give over a dataset, as JSON: run_sql.py ENGINE DATASET SQL_FOLDER

Files that begin with a digit make views, in the order of their names; each other one is a query. DataFusion and ClickHouse
have no temporary views; nothing else is changed for any engine.
"""

import datetime
import json
import os
import pathlib
import re
import sys

from deltalake import DeltaTable

engine, dataset, folder = sys.argv[1:]
texts = {file.stem: file.read_text() for file in sorted(pathlib.Path(folder).glob("*.sql"))}
views = [
    statement
    for name, text in texts.items()
    if name[0].isdigit()
    for statement in text.split(";")
    if statement.strip()
]
queries = {name: text for name, text in texts.items() if not name[0].isdigit()}
TABLES = {log.parent.name: str(log.parent) for log in pathlib.Path(dataset).glob("*/_delta_log")}


def on_duckdb():
    import duckdb

    duckdb.sql("SET TimeZone = 'UTC'")
    for table, path in TABLES.items():
        duckdb.register(table, DeltaTable(path).to_pyarrow_dataset())

    def query(text):
        answer = duckdb.execute(text)
        names = [column[0] for column in answer.description]
        return [dict(zip(names, row)) for row in answer.fetchall()]

    return duckdb.execute, query


def on_spark():
    from pyspark.sql import SparkSession

    spark = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        # Compiling each plan takes longer than these few rows.
        .config("spark.sql.shuffle.partitions", "1")
        .config("spark.sql.codegen.wholeStage", "false")
        .config("spark.sql.adaptive.enabled", "false")
        .config("spark.sql.session.timeZone", "UTC")
        .getOrCreate()
    )
    for table, path in TABLES.items():
        spark.read.parquet(*DeltaTable(path).file_uris()).createOrReplaceTempView(table)

    def execute(statement):
        spark.sql(statement)
        # Every query reads the views: kept, they are computed once.
        spark.catalog.cacheTable(re.search(r"VIEW (\w+)", statement).group(1))

    return execute, lambda text: [row.asDict() for row in spark.sql(text).collect()]


def on_datafusion():
    import datafusion

    context = datafusion.SessionContext()
    for table, path in TABLES.items():
        context.register_dataset(table, DeltaTable(path).to_pyarrow_dataset())
    return lambda text: context.sql(lasting(text)).collect(), lambda text: context.sql(text).to_pylist()


def on_clickhouse():
    from chdb import session

    engine = session.Session()
    for table, path in TABLES.items():
        files = DeltaTable(path).file_uris()
        rows = " UNION ALL ".join(f"SELECT * FROM file('{file}', Parquet)" for file in files)
        engine.query(f"CREATE VIEW {table} AS {rows}")

    def query(text):
        # Without it, integers of 64 bits are texts.
        settings = " SETTINGS output_format_json_quote_64bit_integers = 0"
        return json.loads(engine.query(text + settings, "JSON").bytes())["data"]

    return lambda text: engine.query(lasting(text)), query


def lasting(statement):
    return statement.replace("CREATE OR REPLACE TEMP VIEW", "CREATE OR REPLACE VIEW")


def plain(value):
    if isinstance(value, datetime.datetime):
        # An instant in UTC, with or without its zone.
        return value.replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"
    return value.isoformat() if isinstance(value, datetime.date) else value


execute, query = {
    "duckdb": on_duckdb,
    "spark": on_spark,
    "datafusion": on_datafusion,
    "clickhouse": on_clickhouse,
}[engine]()
for view in views:
    execute(view)
print(
    json.dumps(
        {
            name: [{key: plain(value) for key, value in row.items()} for row in query(text)]
            for name, text in queries.items()
        }
    )
)
sys.stdout.flush()
# Threads of pyarrow that outlive the interpreter would abort it.
os._exit(0)
