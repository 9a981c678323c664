"""The whole path by hand in Polars' expressions: align, rank IC of three horizons, quantile means, turnover.

Reads long Parquet files of scores (date, ticker, score) and prices (date, ticker, close); mean ICs as JSON on standard output.
"""

import json
import sys

import polars as pl

folder = sys.argv[1]
PERIODS = [1, 5, 21]
COLUMNS = [f"return_{h}" for h in PERIODS]

prices = pl.scan_parquet(f"{folder}/prices.parquet").sort("ticker", "date")
returns = prices.with_columns(
    (pl.col("close").shift(-h) / pl.col("close") - 1).over("ticker").alias(f"return_{h}") for h in PERIODS
)
data = (
    pl.scan_parquet(f"{folder}/scores.parquet")
    .join(returns.drop("close"), on=["date", "ticker"], how="left")
    .sort("ticker", "date")
    .with_columns(pl.col("score").rank().over("date").alias("rank"), pl.col("score").count().over("date").alias("n"))
    .with_columns((pl.col("rank") * 5 / pl.col("n")).ceil().cast(pl.Int32).alias("quantile"))
    .collect()
)
both = [pl.col("score").is_not_null() & pl.col(c).is_not_null() for c in COLUMNS]
ic = data.group_by("date").agg(
    pl.corr(pl.col("score").filter(of).rank(), pl.col(c).filter(of).rank()).alias(c)
    for c, of in zip(COLUMNS, both)
)
means = data.filter(pl.col("quantile").is_not_null()).group_by("date", "quantile").agg(pl.col(c).mean() for c in COLUMNS)
turnover = (
    data.with_columns(pl.col("quantile").shift(1).over("ticker").alias("before"))
    .filter(pl.col("quantile").is_not_null())
    .group_by("date", "quantile")
    .agg((pl.col("quantile") != pl.col("before")).fill_null(True).mean().alias("turnover"))
)
assert means.height == turnover.height
json.dump([ic[c].fill_nan(None).mean() for c in COLUMNS], sys.stdout)
