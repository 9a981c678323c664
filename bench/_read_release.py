"""Reads a release file in the way that is named, as anybody would who verifies nothing, and prints what it took.

Arguments: the way and the path. Each way keeps the tickers as text (NA and NAN are tickers) and reads the dates as dates.
"""

import importlib.metadata
import json
import re
import sys
import time

way, path = sys.argv[1:]


def memory(field):
    return int(re.search(field + r":\s+(\d+) kB", open("/proc/self/status").read())[1]) * 1024


def of_pandas():
    import pandas

    kinds = {"ticker": str, "ecpnd_score": "float64"}
    gaps = {"keep_default_na": False, "na_values": {"ecpnd_score": [""]}}
    return lambda: pandas.read_csv(path, dtype=kinds, parse_dates=["date"], **gaps)


# Without the pyarrow backend every date would become a Python object, which takes six times as long.
def of_pandas_with_pyarrow():
    import pandas
    import pyarrow.csv  # noqa: F401, which pandas would load while the time runs

    kinds = {"engine": "pyarrow", "dtype_backend": "pyarrow"}
    return lambda: pandas.read_csv(path, keep_default_na=False, na_values=[""], **kinds)


def of_polars():
    import polars

    kinds = {"date": polars.Date, "ticker": polars.Categorical, "ecpnd_score": polars.Float64}
    return lambda: polars.scan_csv(path, schema=kinds, glob=False).collect()


def of_duckdb():
    import duckdb
    import pyarrow  # noqa: F401, as above

    kinds = "{'date': 'DATE', 'ticker': 'VARCHAR', 'ecpnd_score': 'DOUBLE'}"
    query = f"SELECT * FROM read_csv(?, header = true, columns = {kinds}, nullstr = '')"
    connection = duckdb.connect()
    return lambda: connection.sql(query, params=[path]).to_arrow_table()


WAYS = {
    "pandas": ("pandas", of_pandas),
    "pandas+pyarrow": ("pandas", of_pandas_with_pyarrow),
    "polars": ("polars", of_polars),
    "duckdb": ("duckdb", of_duckdb),
}

package, prepare = WAYS[way]
read = prepare()
before = memory("VmRSS")
start = time.perf_counter()
rows = read()
ms = (time.perf_counter() - start) * 1000
peak = memory("VmHWM") - before
result = {
    "ms": ms,
    "blockedMs": ms,
    "handedOutBytes": peak,
    "peakBytes": peak,
    "rows": rows.num_rows if way == "duckdb" else len(rows),
    "version": importlib.metadata.version(package),
}
print(json.dumps(result))
