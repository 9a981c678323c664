"""The work of _export_case.ts in Polars of Python: export_case.py FOLDER TICKERS YEARS"""

import datetime
import json
import os
import sys
import time

import polars as pl

folder, tickers, years = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
names = [f"T{i}" for i in range(tickers)]
DAYS = 250


def prices_of(days):
    length = len(days) * len(names)
    return pl.DataFrame(
        {
            "date": pl.Series(days).repeat_by(len(names)).explode(),
            "ticker": pl.Series(names * len(days)),
            "close": pl.int_range(length, eager=True) % 97 + 1.0,
        }
    )


def day_of(year, place):
    return datetime.date(year, 1, 1) + datetime.timedelta(days=place)


def megabytes(name):
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith(name)) / 1024


def measure(work):
    with open("/proc/self/clear_refs", "w") as refs:
        refs.write("5")
    before, started = megabytes("VmRSS"), time.perf_counter()
    work()
    return {"seconds": time.perf_counter() - started, "peakMb": megabytes("VmHWM") - before}


def write(year, rows):
    rows = rows.sort("date", "ticker")
    if rows.select("date", "ticker").is_duplicated().any():
        raise ValueError(f"a row twice in {year}")
    os.makedirs(f"{folder}/year={year}", exist_ok=True)
    rows.write_parquet(f"{folder}/year={year}/part-0.parquet.new")
    os.replace(f"{folder}/year={year}/part-0.parquet.new", f"{folder}/year={year}/part-0.parquet")


def export(frame):
    for year in frame["date"].dt.year().unique():
        write(year, frame.filter(pl.col("date").dt.year() == year))


def append(frame):
    for year in frame["date"].dt.year().unique():
        stored = pl.read_parquet(f"{folder}/year={year}/part-0.parquet")
        write(year, pl.concat([stored, frame.filter(pl.col("date").dt.year() == year)]))


frame = prices_of([day_of(2000 + i // DAYS, i % DAYS) for i in range(DAYS * years)])
more = prices_of([day_of(1999 + years, DAYS + i) for i in range(60)])
exported = measure(lambda: export(frame))
appended = measure(lambda: append(more))
print(json.dumps({"rows": frame.height, "exported": exported, "appended": appended}))
