"""Times the SQL of docs/beyond-one-machine over a dataset: scale_sql.py ENGINE DATASET SQL_FOLDER FACTOR; prints JSON"""

import json
import pathlib
import resource
import sys
import time

engine, dataset, folder, factor = sys.argv[1:]
texts = {file.stem: file.read_text() for file in sorted(pathlib.Path(folder).glob("*.sql"))}
views = [
    statement.replace("'ecpnd'", f"'{factor}'")
    for name, text in texts.items()
    if name[0].isdigit()
    for statement in text.split(";")
    if statement.strip()
]
queries = {name: text for name, text in texts.items() if not name[0].isdigit()}
state = json.loads(max(pathlib.Path(dataset).glob("states/*/state.json")).read_text())
files = {
    table: [f"{dataset}/{file['path']}" for file in state["files"] if file["table"] == table]
    for table in ("scores", "prices")
}
start = time.time()
if engine == "duckdb":
    import duckdb

    for table in files:
        source = f"read_parquet({files[table]}, hive_partitioning = true)"
        duckdb.sql(f"CREATE TEMP VIEW {table} AS SELECT * FROM {source}")
    execute = duckdb.execute
    fetch = lambda text: duckdb.execute(text).fetchall()
else:
    from pyspark.sql import SparkSession

    spark = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.memory", "4g")
        .config("spark.sql.shuffle.partitions", "8")
        .getOrCreate()
    )
    spark.sparkContext.setLogLevel("ERROR")
    for table in files:
        rows = spark.read.option("basePath", f"{dataset}/data/{table}").parquet(*files[table])
        rows.createOrReplaceTempView(table)
    execute = spark.sql
    fetch = lambda text: spark.sql(text).collect()
for view in views:
    execute(view)
ready = time.time()
rows = {name: len(fetch(text)) for name, text in queries.items()}
used = resource.getrusage(resource.RUSAGE_SELF)
print(
    json.dumps(
        {
            "ready": ready - start,
            "seconds": time.time() - ready,
            "peakMb": used.ru_maxrss / 1024,
            "rows": rows,
        }
    )
)
