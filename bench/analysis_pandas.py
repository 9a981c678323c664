"""The same statistics with pandas and scipy, as researchers write them; times as JSON on standard output.

Reads long Parquet files of scores (date, ticker, score) and prices (date, ticker, close).
"""

import json
import sys
import time

import numpy as np
import pandas as pd
from scipy.stats import spearmanr

folder, wanted, rounds = sys.argv[1], sys.argv[2].split(","), int(sys.argv[3])
PERIODS = [1, 5, 21]
columns = [f"return_{h}" for h in PERIODS]
times = {}
cpu = {}
values = {}


def measure(name, compute):
    """The least of some rounds, as ours are."""
    for _ in range(rounds):
        start, used = time.perf_counter(), time.process_time()
        result = compute()
        times[name] = min(times.get(name, float("inf")), 1000 * (time.perf_counter() - start))
        cpu[name] = min(cpu.get(name, float("inf")), 1000 * (time.process_time() - used))
    return result


def merge():
    closes = prices.pivot(index="date", columns="ticker", values="close")
    returns = pd.concat(
        {
            name: (closes.shift(-h) / closes - 1).stack()
            for name, h in zip(columns, PERIODS)
        },
        axis=1,
    )
    returns.index.names = ["date", "ticker"]
    return scores.merge(returns.reset_index(), on=["date", "ticker"], how="left")


def rank_ic(data):
    def of_day(day):
        result = {}
        for column in columns:
            both = day[["score", column]].dropna()
            result[column] = spearmanr(both["score"], both[column])[0] if len(both) > 9 else np.nan
        return pd.Series(result)

    return data.groupby("session").apply(of_day)


def quantile_means(data):
    data["quantile"] = data.groupby("session")["score"].transform(
        lambda day: pd.qcut(day, 5, labels=False, duplicates="drop")
    )
    return data.groupby(["session", "quantile"])[columns].mean()


def turnover(data):
    wide = data.pivot(index="session", columns="ticker", values="quantile")
    before = wide.shift(1)
    result = {}
    for bucket in range(5):
        now, earlier = wide == bucket, before == bucket
        result[bucket] = (now & ~earlier).sum(axis=1) / now.sum(axis=1)
    return pd.DataFrame(result)


scores = pd.read_parquet(f"{folder}/scores.parquet")
prices = pd.read_parquet(f"{folder}/prices.parquet")
if "pandas" in wanted:
    data = measure("align", merge).rename(columns={"date": "session"})
    ic = measure("rank IC", lambda: rank_ic(data))
    means = measure("quantile means", lambda: quantile_means(data))
    measure("turnover", lambda: turnover(data))
    values["ic"] = ic.mean().tolist()
if "alphalens" in wanted:
    import contextlib
    import io
    import warnings

    warnings.simplefilter("ignore")
    import alphalens as al

    with contextlib.redirect_stdout(io.StringIO()):
        factor = scores.assign(date=pd.to_datetime(scores["date"])).set_index(["date", "ticker"])["score"]
        factor.index.names = ["date", "asset"]
        closes = prices.assign(date=pd.to_datetime(prices["date"])).pivot(
            index="date", columns="ticker", values="close"
        )
        clean = measure(
            "alphalens: align",
            lambda: al.utils.get_clean_factor_and_forward_returns(
                factor, closes, periods=PERIODS, filter_zscore=None, max_loss=1
            ),
        )
        their_ic = measure(
            "alphalens: rank IC", lambda: al.performance.factor_information_coefficient(clean)
        )
        their_means = measure(
            "alphalens: quantile means", lambda: al.performance.mean_return_by_quantile(clean, demeaned=False)
        )
        values["alphalens IC"] = their_ic.mean().tolist()
        values["alphalens means"] = their_means[0].T.to_numpy().ravel().tolist()
        measure(
            "alphalens: turnover",
            lambda: [
                al.performance.quantile_turnover(clean["factor_quantile"], bucket) for bucket in range(1, 6)
            ],
        )
if "polars" in wanted:
    import polars as pl

    lazy = pl.from_pandas(merge()).lazy()

    def polars_ic():
        return lazy.group_by("date").agg(
            [
                pl.corr(
                    pl.col("score").filter(pl.col("score").is_not_null() & pl.col(c).is_not_null()).rank(),
                    pl.col(c).filter(pl.col("score").is_not_null() & pl.col(c).is_not_null()).rank(),
                ).alias(c)
                for c in columns
            ]
        ).collect()

    measure("Polars: rank IC", polars_ic)
json.dump({"times": times, "cpu": cpu, "values": values, "versions": {"pandas": pd.__version__}}, sys.stdout)
