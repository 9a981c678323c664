"""Makes factor_test.json: what pandas and statsmodels compute from the inputs beside the tables of alphalens.

Run with pandas 3.1.1 and statsmodels: python make_factor_test.py
"""

import json
import pathlib

import numpy as np
import pandas as pd
import statsmodels.api as sm

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

result = {
    "fama_macbeth": fama_macbeth(lambda x: x),
    "fama_macbeth_rank": fama_macbeth(lambda x: (x.rank() - (x.count() + 1) / 2) / x.count()),
    "fama_macbeth_zscore": fama_macbeth(lambda x: (x - x.mean()) / x.std()),
    "independent": double_sort(False),
    "dependent": double_sort(True),
    "residuals": residuals,
    "events": offsets,
}
(here / "factor_test.json").write_text(json.dumps(result))
