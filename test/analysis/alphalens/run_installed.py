"""What the installed alphalens makes of factor.csv, prices.csv and groups.csv in each folder, as JSON on standard output.

Each table is a list of [key, horizon, value], where the key holds the texts of the index.
"""

import contextlib
import io
import json
import sys
import warnings

warnings.simplefilter("ignore")

import alphalens as al
import pandas as pd

PERIODS = [1, 5, 21]
# The committed tables have all eight; these take every branch.
FLAGS = [(True, False, False), (True, True, False), (True, False, True), (False, True, True)]
performance = al.performance


def text(part):
    if isinstance(part, pd.Timestamp):
        return str(part)[:10]
    return str(int(part)) if isinstance(part, float) else str(part)


def cells(frame):
    """The values of a frame whose columns are the horizons."""
    return [
        [
            "|".join(map(text, index if isinstance(index, tuple) else (index,))),
            horizon,
            None if pd.isna(value) else float(value),
        ]
        for horizon, column in zip(PERIODS, frame.columns)
        for index, value in frame[column].items()
    ]


def of(series, horizon=0):
    """The values of a series, which belong to one horizon or to none."""
    return [[key, horizon, value] for key, _, value in cells(series.to_frame())]


def describe(folder, how):
    factor = pd.read_csv(f"{folder}/factor.csv", parse_dates=["date"], dtype={"ticker": str})
    factor = factor.set_index(["date", "ticker"])["score"]
    factor.index.names = ["date", "asset"]
    long = pd.read_csv(f"{folder}/prices.csv", parse_dates=["date"], dtype={"ticker": str})
    prices = long.pivot(index="date", columns="ticker", values="close")
    groups = pd.read_csv(f"{folder}/groups.csv", dtype=str).set_index("ticker")["group"].to_dict()
    data = al.utils.get_clean_factor_and_forward_returns(
        factor, prices, groupby=groups, periods=PERIODS, filter_zscore=None, max_loss=1, **how
    )
    means, errors = performance.mean_return_by_quantile(data, demeaned=False)
    by_date, date_errors = performance.mean_return_by_quantile(data, by_date=True, demeaned=False)
    by_group, _ = performance.mean_return_by_quantile(data, by_group=True, demeaned=True)
    top = int(data["factor_quantile"].max())
    spread, spread_errors = performance.compute_mean_returns_spread(by_date, top, 1, date_errors)
    tables = {
        "quantile": of(data["factor_quantile"].astype(float)),
        "ic": cells(performance.factor_information_coefficient(data)),
        "ic_group": cells(performance.factor_information_coefficient(data, by_group=True)),
        "ic_neutral": cells(performance.factor_information_coefficient(data, group_adjust=True)),
        "means": cells(means),
        "errors": cells(errors),
        "group_means": cells(by_group),
        "spread": cells(spread),
        "spread_error": cells(spread_errors),
        "mean_spread": [["", h, float(v)] for h, v in zip(PERIODS, spread.mean())],
        "autocorrelation": of(performance.factor_rank_autocorrelation(data, period=5)),
        "turnover": of(performance.quantile_turnover(data["factor_quantile"], top, period=5)),
    }
    for demeaned, adjust, equal in FLAGS:
        name = f"{demeaned},{adjust},{equal}".lower()
        flags = {"demeaned": demeaned, "group_adjust": adjust, "equal_weight": equal}
        returns = performance.factor_returns(data, **flags)
        tables[f"weights:{name}"] = of(performance.factor_weights(data, **flags))
        tables[f"returns:{name}"] = cells(returns)
        tables[f"alpha_beta:{name}"] = cells(performance.factor_alpha_beta(data, returns))
        tables[f"wealth:{name}"] = of(performance.cumulative_returns(returns.iloc[:, 0]))
    return {"rows": len(data), "tables": tables}


with contextlib.redirect_stdout(io.StringIO()):
    result = {folder: describe(folder, json.loads(how)) for folder, how in zip(sys.argv[1::2], sys.argv[2::2])}
json.dump(result, sys.stdout)
