"""Makes factor_test.json: what pandas, scipy, statsmodels and linearmodels compute from the inputs beside the tables of alphalens.

Run with pandas 3.1.1, scipy, statsmodels and linearmodels: python make_factor_test.py
"""

import json
import pathlib

import numpy as np
import pandas as pd
import statsmodels.api as sm
from linearmodels.panel import FamaMacBeth
from scipy import stats

here = pathlib.Path(__file__).parent
inputs = here.parent / "alphalens"
rows = pd.read_csv(inputs / "factor.csv", keep_default_na=False, na_values={"factor": [""]})
rows = rows.sort_values(["date", "asset"]).reset_index(drop=True)
rows["size"] = (rows.index * 37 % 101) / 10
prices = pd.read_csv(inputs / "prices.csv", index_col=0)
one = prices.shift(-1) / prices - 1
five = prices.shift(-5) / prices - 1
rows["return_5"] = [five.loc[d, a] for d, a in zip(rows["date"], rows["asset"])]


def number(value):
    return float(value) if np.isfinite(value) else None


def fama_macbeth(transform):
    slopes = []
    for _, day in rows.groupby("date"):
        x = day[["factor", "size"]].apply(transform)
        both = x.notna().all(axis=1) & day["return_5"].notna()
        if both.sum() < 5:
            slopes.append([None, None, None, None])
            continue
        fit = sm.OLS(day["return_5"][both], sm.add_constant(x[both])).fit()
        slopes.append([*map(float, fit.params), float(fit.rsquared)])
    return slopes


def buckets(values, q):
    ranks = values.rank()
    n = values.notna().sum()
    doubled = (2 * ranks - 2).dropna().astype(int)
    return ((q * doubled + 2 * (n - 1) - 1) // (2 * (n - 1))).clip(lower=1)


def double_sort(dependent):
    cells = []
    for _, day in rows.groupby("date"):
        both = day[day["factor"].notna() & day["size"].notna()]
        outer = buckets(both["size"], 2)
        if dependent:
            inner = pd.concat([buckets(part["factor"], 3) for _, part in both.groupby(outer)])
        else:
            inner = buckets(both["factor"], 3)
        day_means = both["return_5"].groupby([outer, inner.reindex(both.index)]).mean()
        # A session counts if as many names as cells have a return.
        if both["return_5"].notna().sum() < 6:
            day_means[:] = np.nan
        cells.append(day_means)
    table = pd.concat(cells, axis=1)
    spread = table.xs(2, level=0).sub(table.xs(1, level=0)).mean(skipna=False)
    return {
        "cells": [number(v) for v in table.mean(axis=1)],
        "size": number(spread.mean()),
        "score": number((table.xs(3, level=1) - table.xs(1, level=1)).mean(skipna=False).mean()),
    }


residuals = []
for _, day in rows.groupby("date"):
    both = day["factor"].notna()
    fit = sm.OLS(day["factor"][both], sm.add_constant(day["size"][both])).fit()
    residuals.extend(number(v) for v in fit.resid.reindex(day.index))

daily = one.shift(1)
abnormal = daily.sub(daily.mean(axis=1), axis=0)
events = rows[rows["factor"] > 0.97]
offsets = []
for k in (-1, 0, 2):
    shifted = abnormal.shift(-k)
    values = pd.Series([shifted.loc[d, a] for d, a in zip(events["date"], events["asset"])], index=events["date"])
    offsets.append([number(values.dropna().groupby(level=0).mean().mean()), int(values.notna().sum())])

whole = rows.dropna(subset=["factor", "return_5"]).copy()
whole = whole[whole.groupby("date")["return_5"].transform("size") >= 5]
panel = whole.assign(date=pd.to_datetime(whole["date"]), const=1.0).set_index(["asset", "date"])
model = FamaMacBeth(panel["return_5"], panel[["const", "factor", "size"]])
fit = model.fit(cov_type="kernel", kernel="bartlett", bandwidth=4)
linearmodels = {"params": list(map(float, fit.params)), "errors": list(map(float, fit.std_errors))}


def centred(values):
    return (values.rank() - (values.count() + 1) / 2) / values.count()


def combined(weights_of):
    """The weighted mean of both columns' ranks in the last session."""
    ranks = pd.concat([rows.groupby("date")[name].transform(centred) for name in ("factor", "size")], axis=1)
    wide = ranks.assign(date=rows["date"], asset=rows["asset"]).pivot(index="date", columns="asset")
    moves = [wide[name].diff().abs().stack().mean() for name in ("factor", "size")]
    weights = weights_of(moves)
    last = rows["date"] == rows["date"].max()
    mean = sum(w * ranks[name][last] for w, name in zip(weights, ("factor", "size"))) / sum(weights)
    return [number(v) for v in mean]


unscored = []
bias = []
for _, day in rows.groupby("date"):
    has = day["factor"].notna()
    unscored.append(day["return_5"][~has].mean() - day["return_5"][has].mean())
    later = day["factor"] + day["return_5"]
    both = has & day["return_5"].notna()
    if both.sum() >= 10:
        known = stats.spearmanr(day["factor"][both], day["return_5"][both])[0]
        bias.append((stats.spearmanr(later[both], day["return_5"][both])[0], known))
bias = np.array(bias)

result = {
    "fama_macbeth": fama_macbeth(lambda x: x),
    "fama_macbeth_rank": fama_macbeth(lambda x: (x.rank() - (x.count() + 1) / 2) / x.count()),
    "fama_macbeth_zscore": fama_macbeth(lambda x: (x - x.mean()) / x.std()),
    "independent": double_sort(False),
    "dependent": double_sort(True),
    "residuals": residuals,
    "events": offsets,
    "linearmodels": linearmodels,
    "combined": combined(lambda _: (1, 3)),
    "slow": combined(lambda moves: [1 / move for move in moves]),
    "unscored": [number(np.nanmean(unscored)), int(np.isfinite(unscored).sum())],
    "bias": [*map(float, bias.mean(axis=0)), len(bias)],
}
(here / "factor_test.json").write_text(json.dumps(result))
