"""Makes cross_section.json: what pandas and scipy compute from the inputs beside the tables of alphalens.

The scores are rounded to one decimal, so that sessions hold piles of equal ones; prices keep their gaps.
Run with pandas 3.1.1 and scipy 1.17.1: python make_cross_section.py
"""

import json
import pathlib

import numpy as np
import pandas as pd
from scipy.stats import pearsonr, spearmanr

here = pathlib.Path(__file__).parent
inputs = here.parent / "alphalens"
factor = pd.read_csv(inputs / "factor.csv", keep_default_na=False, na_values={"factor": [""]})
scores = factor.pivot(index="date", columns="asset", values="factor").round(1)
plain = factor.pivot(index="date", columns="asset", values="factor")
prices = pd.read_csv(inputs / "prices.csv", index_col=0)
prices = prices.mask((np.arange(prices.size).reshape(prices.shape) * 7919) % 31 == 0)
groups = pd.read_csv(inputs / "groups.csv").set_index("asset")["group"]
returns = {h: prices.shift(-h) / prices - 1 for h in (1, 5)}


def number(value):
    return None if value is None or not np.isfinite(value) else float(value)


def correlate(x, y, function, least=10):
    both = x.notna() & y.notna()
    x, y = x[both], y[both]
    if len(x) < least or x.nunique() < 2 or y.nunique() < 2:
        return [None, int(len(x))]
    return [number(function(x, y)[0]), int(len(x))]


def by_session(function, signal=scores, of=returns):
    return {
        str(h): [correlate(signal.loc[d], r.loc[d], function) for d in scores.index] for h, r in of.items()
    }


def one_session(h):
    ranks = scores.rank(axis=1)
    n = scores.notna().sum(axis=1)
    p = ranks.sub((n + 1) / 2, axis=0).div(n, axis=0)
    return p.rolling(h, min_periods=1).mean().iloc[h - 1 :].round(12)


def lag(k):
    r = returns[1].shift(-(k - 1))
    return [correlate(scores.loc[d], r.loc[d], spearmanr) for d in scores.index]


def autocorrelation(k):
    earlier = scores.shift(k)
    return [correlate(scores.loc[d], earlier.loc[d], spearmanr) for d in scores.index]


def neutral(h):
    r = returns[h].loc[scores.index].where(scores.notna())
    return r - r.T.groupby(groups).transform("mean").T


def weights(row):
    x = row - row.mean()
    return (x / x.abs().sum()).dropna()


qcut = {d: pd.qcut(plain.loc[d].dropna(), 5, labels=False).add(1).to_dict() for d in plain.index}
cut = {d: pd.cut(scores.loc[d].dropna(), 4, labels=False).add(1).to_dict() for d in scores.index}
means = []
for d in plain.index:
    r = returns[5].loc[d]
    q = pd.Series(qcut[d])
    cells = r[q.index].groupby(q).agg(["mean", "std", "count"])
    means.append([[number(row["mean"]), number(row["std"]), int(row["count"])] for _, row in cells.iterrows()])
held = pd.DataFrame({d: weights(plain.loc[d]) for d in plain.index}).T.reindex(columns=plain.columns)
targets = sum(held.shift(k).fillna(0) for k in range(3)) / 3


def account(targets, closes):
    """Money in a plain account that holds each target: what has no close is neither traded nor worth another price."""
    marks = closes.ffill()
    sessions = list(closes.index)
    shares = pd.Series(0.0, index=closes.columns)
    cash, lines = 1.0, []
    for d in targets.index:
        mark = marks.loc[d].fillna(0)
        wealth = cash + (shares * mark).sum()
        wanted = targets.loc[d].fillna(0) * wealth
        is_priced = closes.loc[d].notna()
        trades = (wanted - shares * mark)[is_priced]
        shares[is_priced] = wanted[is_priced] / mark[is_priced]
        cash -= trades.sum()
        later = marks.loc[sessions[sessions.index(d) + 1]].fillna(0)
        lines.append(((cash + (shares * later).sum()) / wealth - 1, trades.abs().sum() / wealth))
    return pd.DataFrame(lines, index=targets.index, columns=["return", "traded"])


one = returns[1].loc[plain.index]
book = account(targets.iloc[2:], prices)

result = {
    "spearman": by_session(spearmanr),
    "pearson": by_session(pearsonr),
    "neutral": {str(h): [correlate(scores.loc[d], neutral(h).loc[d], spearmanr) for d in scores.index] for h in (1, 5)},
    "one_session": [correlate(row, returns[1].loc[d], spearmanr) for d, row in one_session(5).iterrows()],
    "lags": {str(k): lag(k) for k in (1, 3)},
    "autocorrelation": {str(k): autocorrelation(k) for k in (1, 5)},
    "qcut": {d: {t: int(b) for t, b in q.items()} for d, q in qcut.items()},
    "cut": {d: {t: int(b) for t, b in q.items()} for d, q in cut.items()},
    "quantile_means": means,
    "factor_returns": [number((held * one).sum(axis=1, min_count=1).loc[d]) for d in plain.index],
    # The first session trades everything it holds.
    "portfolio": [number(v) for v in book["return"]],
    "traded": [number(v) for v in book["traded"]],
}
(here / "cross_section.json").write_text(json.dumps(result))
