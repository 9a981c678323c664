"""A book carried by hand, in pandas: what test/analysis/portfolio/carried_book.test.ts has as literals.

A score of every 21st session for 60 stocks over five years; weights by the score less its mean, gross exposure 1, taken at the
close of the score's session (entry: same). Between two scores the book is left alone, so that its weights drift with prices.

    .scoreframe/venv/bin/python test/analysis/portfolio/carried_book.py
"""

import numpy as np
import pandas as pd

NAMES, SESSIONS, EVERY = 60, 1260, 21


def numbers(seed, count):
    state, values = seed, []
    for _ in range(count):
        state = (state * 1_103_515_245 + 12_345) % 2**31
        values.append(state / 2**31)
    return np.array(values)


def market():
    days = pd.bdate_range("2020-01-01", periods=SESSIONS)
    noise = numbers(7, NAMES * SESSIONS).reshape(SESSIONS, NAMES)
    draw = numbers(11, NAMES * SESSIONS).reshape(SESSIONS, NAMES)
    scores = pd.DataFrame(np.nan, index=days, columns=range(NAMES))
    scores.iloc[::EVERY] = draw[::EVERY].round(6)
    # What a stock earns until the next score leans towards its score.
    lean = scores.ffill().shift(1).fillna(0.5) - 0.5
    returns = 0.0003 + 0.05 * (noise - 0.5) + 0.005 * lean
    return scores, (100 * (1 + returns).cumprod())


def by_score(signal):
    return signal - signal.mean()


def by_rank(signal):
    ranks = signal.rank()
    return ranks - ranks.mean()


def by_side(signal):
    sides = np.sign(signal - signal.median())
    return sides / sides.groupby(sides).transform("count")


def by_quantile(signal):
    fifths = pd.qcut(signal, 5, labels=False)
    sides = pd.Series(np.where(fifths == 4, 1.0, np.where(fifths == 0, -1.0, 0.0)), index=signal.index)
    return sides / sides.groupby(sides).transform("count")


def carry(scores, closes, weigh=by_score):
    rows = []
    capital, held = 1.0, pd.Series(0.0, index=closes.columns)  # worth of each position
    for i, day in enumerate(closes.index):
        traded = 0.0
        signal = scores.loc[day]
        if signal.notna().any():
            weights = weigh(signal)
            target = capital * weights / weights.abs().sum()
            traded = (target - held).abs().sum() / capital
            held = target
        if i + 1 == len(closes):
            rows.append((day, np.nan, traded))
            break
        gains = held * (closes.iloc[i + 1] / closes.iloc[i] - 1)
        rows.append((day, gains.sum() / capital, traded))
        capital += gains.sum()
        held = held + gains
    return pd.DataFrame(rows, columns=["day", "return", "traded"]).set_index("day")


if __name__ == "__main__":
    book = carry(*market())
    earned = book["return"].dropna()
    n = len(earned)
    print("sessions", n, "traded", book["traded"].sum() / n)
    print("break-even bps", 1e4 * earned.sum() / book["traded"].sum())
    net = earned - 10e-4 * book["traded"].iloc[:n]
    for name, series in (("gross", earned), ("net", net)):
        wealth = (1 + series).prod()
        print(name, "wealth", repr(wealth), "annual", repr(wealth ** (252 / n) - 1))
    for weigh in (by_score, by_rank, by_side, by_quantile):
        own = carry(*market(), weigh)
        own_earned = own["return"].dropna()
        wealth, traded = (1 + own_earned).prod(), own["traded"].sum() / len(own_earned)
        print(weigh.__name__, "wealth", repr(float(wealth)), "traded", repr(float(traded)))
    scores, closes = market()
    buckets = scores.apply(lambda row: pd.qcut(row.rank(method="first"), 5, labels=False) if row.notna().any() else row, axis=1)
    held = buckets.astype(float).ffill()
    later = closes.shift(-1) / closes - 1
    top = later.where(held == 4).mean(axis=1).iloc[:-1]
    print("top bucket", repr((1 + top).prod()))
    print(book.iloc[[0, 20, 21, 22, 42, 1258]].to_string(float_format=lambda value: repr(value)))
