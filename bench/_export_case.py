"""The work of _export_case.ts in Polars of Python: export_case.py FOLDER KIND ROWS"""

import datetime
import json
import os
import sys
import time

import polars as pl

folder, kind, rows = sys.argv[1], sys.argv[2], int(sys.argv[3])
YEARS, DAYS, MORE = 10, 250, 60
names = [f"T{i}" for i in range(rows // YEARS // DAYS)]


def text(value):
    return pl.lit(value).cast(pl.Categorical)


CLOSED = pl.col("date").cast(pl.Datetime("ms", "UTC"))
ORIGIN = {
    "factor": text("ecpnd"),
    "factor_version": text("2.1.0"),
    "universe": text("us-listed"),
    "source": text("synthetic, store"),
    "retrieved_at": pl.lit(datetime.datetime(2026, 11, 20, 15)).cast(pl.Datetime("ms", "UTC")),
}
LIVE = {
    **ORIGIN,
    "snapshot_id": pl.col("date").cast(pl.String),
    "calculated_at": CLOSED,
    "last_checked_at": CLOSED,
    "data_through": CLOSED,
    "status": text("current"),
    "prices_through": pl.col("date"),
}
VALUE = pl.col("value")
KINDS = {
    "prices": {"close": VALUE},
    "release": {
        "ecpnd_score": VALUE,
        **ORIGIN,
        "download_sha256": text("0123456789abcdef" * 4),
        "availability": text("reconstructed"),
    },
    "panel": {"ecpnd_score": VALUE, "at": CLOSED, **LIVE},
    "sets": {"ecpnd_score": VALUE, **LIVE},
}
KEY = {"panel": ["at", "ticker"], "sets": ["calculated_at", "snapshot_id", "ticker"]}.get(
    kind, ["date", "ticker"]
)
YEAR = pl.col(KEY[0]).dt.year()


def frame_of(days):
    length = len(days) * len(names)
    frame = pl.DataFrame(
        {
            "date": pl.Series(days).repeat_by(len(names)).explode(),
            "ticker": pl.Series(names * len(days)),
            "value": pl.int_range(length, eager=True) % 97 / 97,
        }
    )
    columns = frame.with_columns(**KINDS[kind]).drop("value")
    return columns.drop("date") if kind == "sets" else columns


def day_of(place):
    year = min(YEARS - 1, place // DAYS)
    return datetime.date(2000 + year, 1, 1) + datetime.timedelta(days=place - year * DAYS)


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
    rows = rows.with_columns(pl.col(pl.Categorical).cast(pl.String)).sort(KEY)
    if rows.select(KEY).is_duplicated().any():
        raise ValueError(f"a row twice in {year}")
    os.makedirs(f"{folder}/year={year}", exist_ok=True)
    rows.write_parquet(f"{folder}/year={year}/part-0.parquet.new")
    os.replace(f"{folder}/year={year}/part-0.parquet.new", f"{folder}/year={year}/part-0.parquet")


def years_of(frame):
    return frame.select(YEAR).to_series().unique()


def export(frame):
    for year in years_of(frame):
        write(year, frame.filter(YEAR == year))


def append(frame):
    for year in years_of(frame):
        stored = pl.read_parquet(f"{folder}/year={year}/part-0.parquet")
        more = frame.filter(YEAR == year).with_columns(pl.col(pl.Categorical).cast(pl.String))
        write(year, pl.concat([stored, more]))


frame = frame_of([day_of(i) for i in range(DAYS * YEARS)])
more = frame_of([day_of(DAYS * YEARS + i) for i in range(MORE)])
exported = measure(lambda: export(frame))
appended = None if kind == "release" else measure(lambda: append(more))
print(json.dumps({"rows": frame.height, "exported": exported, "appended": appended}))
