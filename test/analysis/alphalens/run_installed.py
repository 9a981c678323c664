"""What the installed alphalens makes of factor.csv and prices.csv in a folder, as JSON on standard output."""

import contextlib
import io
import json
import sys
import warnings

warnings.simplefilter("ignore")

import alphalens as al
import pandas as pd

folder = sys.argv[1]
periods = [1, 5, 21]
factor = pd.read_csv(f"{folder}/factor.csv", parse_dates=["date"], dtype={"ticker": str})
factor = factor.set_index(["date", "ticker"])["score"]
factor.index.names = ["date", "asset"]
long = pd.read_csv(f"{folder}/prices.csv", parse_dates=["date"], dtype={"ticker": str})
prices = long.pivot(index="date", columns="ticker", values="close")
with contextlib.redirect_stdout(io.StringIO()):
    data = al.utils.get_clean_factor_and_forward_returns(
        factor, prices, quantiles=5, periods=periods, filter_zscore=None, max_loss=1
    )
    ic = al.performance.factor_information_coefficient(data)
    means, errors = al.performance.mean_return_by_quantile(data, demeaned=False)


def cells(frame, key):
    return [
        [key(index), int(str(column).rstrip("D")), None if pd.isna(value) else float(value)]
        for column in frame.columns
        for index, value in frame[column].items()
    ]


json.dump(
    {
        "rows": len(data),
        "ic": cells(ic, lambda date: str(date)[:10]),
        "means": cells(means, int),
        "errors": cells(errors, int),
    },
    sys.stdout,
)
