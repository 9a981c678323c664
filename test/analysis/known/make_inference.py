"""Makes inference.json: what scipy, statsmodels and arch say about the series in it.

    pip install numpy==2.4.6 scipy==1.17.1 statsmodels==0.15.0 arch==8.0.0 pandas==3.1.1
    python make_inference.py
"""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import statsmodels.api as sm
from arch.bootstrap import optimal_block_length
from scipy import fft, optimize, stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.oneway import anova_oneway

HERE = Path(__file__).parent


def overlapping(rng, n, horizon, mean):
    """Means over `horizon` sessions of a series with some persistence, to six decimals."""
    shocks = rng.standard_normal(n + horizon)
    x = np.convolve(shocks, np.ones(horizon) / horizon, "valid")[:n]
    return np.round(mean + 0.1 * x, 6)


def degrees(n, overlap):
    k = 0
    while 125 * (k + 1) ** 3 <= n * n:
        k += 1
    return min(max(4, k), 2 * n // (5 * overlap))


def cosines(x, count):
    """The weighted sums through the discrete cosine transform, an implementation of its own."""
    n = x.shape[0]
    return np.sqrt(2 / n) * fft.dct(x, type=2, axis=0)[1 : count + 1] / 2


def ewc(x, overlap):
    n, nu = len(x), degrees(len(x), overlap)
    error = np.sqrt(np.sum(cosines(x - x.mean(), nu) ** 2) / nu / n)
    t = x.mean() / error
    half = stats.t.ppf(0.975, nu) * error
    return {
        "df": nu,
        "standardError": error,
        "t": t,
        "p": 2 * stats.t.sf(abs(t), nu),
        "low": x.mean() - half,
        "high": x.mean() + half,
        "effectiveN": len(x) * x.var() / (error**2 * n),
        "detectable": (stats.t.ppf(0.975, nu) + stats.t.ppf(0.8, nu)) * error,
    }


def hac(x, lag, kernel="bartlett", correction=False):
    fit = sm.OLS(x, np.ones(len(x))).fit(
        cov_type="HAC", cov_kwds={"maxlags": lag, "kernel": kernel, "use_correction": correction}
    )
    return {"lag": lag, "standardError": fit.bse[0], "t": fit.tvalues[0], "p": fit.pvalues[0]}


def one_series(rng, n, horizon, mean):
    x = overlapping(rng, n, horizon, mean)
    lag = horizon - 1
    return {
        "horizon": horizon,
        "values": x.tolist(),
        "mean": x.mean(),
        "deviation": x.std(ddof=1),
        "ewc": ewc(x, horizon),
        "neweyWest": [hac(x, lag), hac(x, 6), hac(x, 2 * lag + 1, correction=True)],
        "corrected": [False, False, True],
        "hansenHodrick": hac(x, lag, "uniform"),
        "blockLength": optimal_block_length(x)["stationary"].iloc[0],
        "starts": sorted(stats.ttest_1samp(x[s::horizon], 0).statistic for s in range(horizon)),
    }


def fixed_b_critical(b, n=800):
    """97.5 % point of mean over Bartlett error for white noise: P(|t| > x) by Craig's formula.

    |t| > x means Z² > x² Σ λ Z², and E of the normal tail over the quadratic form is a product.
    """
    lags = np.abs(np.subtract.outer(np.arange(n), np.arange(n)))
    kernel = np.clip(1 - lags / (b * n), 0, None)
    kernel = kernel - kernel.mean(0) - kernel.mean(1)[:, None] + kernel.mean()
    eigen = np.clip(np.linalg.eigvalsh(kernel) / n, 0, None)
    nodes, weights = np.polynomial.legendre.leggauss(80)
    theta = (nodes + 1) * np.pi / 4
    tail = lambda x: (2 / np.pi) * np.sum(
        weights
        * np.pi
        / 4
        * np.exp(-0.5 * np.log1p(x**2 * eigen[:, None] / np.sin(theta) ** 2).sum(0))
    )
    return optimize.brentq(lambda x: tail(x) - 0.05, 0.5, 20)


def regression(rng, n, overlap):
    market = np.round(0.01 * rng.standard_normal(n), 6)
    returns = np.round(0.0004 + 0.6 * market + 0.006 * rng.standard_normal(n), 6)
    design = np.column_stack([np.ones(n), market])
    fit = sm.OLS(returns, design).fit()
    nu = degrees(n, overlap)
    sums = cosines(design * fit.resid[:, None], nu)
    bread = np.linalg.inv(design.T @ design / n)
    errors = np.sqrt(np.diag(bread @ (sums.T @ sums / nu) @ bread / n))
    return {
        "overlap": overlap,
        "market": market.tolist(),
        "returns": returns.tolist(),
        "coefficients": fit.params.tolist(),
        "rSquared": fit.rsquared,
        "df": nu,
        "standardErrors": errors.tolist(),
        "p": (2 * stats.t.sf(np.abs(fit.params / errors), nu)).tolist(),
    }


def joint(rng, n, overlap):
    common = 0.1 * rng.standard_normal(n)
    series = np.round(
        np.column_stack([0.02 * k + common + 0.2 * rng.standard_normal(n) for k in range(3)]), 6
    )
    difference = series[:, :2] - series[:, [2]]
    nu, m = degrees(n, overlap), 2
    sums = cosines(difference - difference.mean(0), nu)
    mean = difference.mean(0)
    wald = mean @ np.linalg.solve(sums.T @ sums / nu / n, mean)
    f = wald * (nu - m + 1) / (nu * m)
    return {
        "overlap": overlap,
        "series": series.T.tolist(),
        "f": f,
        "df2": nu - m + 1,
        "p": stats.f.sf(f, m, nu - m + 1),
    }


def periods(rng):
    groups = [np.round(0.02 * k + (k + 1) * 0.1 * rng.standard_normal(40 + 20 * k), 6) for k in range(4)]
    welch = anova_oneway(groups, use_var="unequal")
    return {
        "groups": [
            {
                "mean": g.mean(),
                "standardError": g.std(ddof=1) / np.sqrt(len(g)),
                "df": len(g) - 1,
            }
            for g in groups
        ],
        "f": welch.statistic,
        "df": list(welch.df),
        "p": welch.pvalue,
    }


def distributions():
    student = [
        [x, df, stats.t.cdf(x, df), 2 * stats.t.sf(abs(x), df)]
        for df in (1, 2, 4, 8, 12, 79, 2499)
        for x in (-40.0, -5.0, -1.96, 0.0, 0.5, 2.5, 6.0)
    ]
    quantiles = [
        [p, df, stats.t.ppf(p, df)]
        for df in (1, 2, 4, 8, 12, 79, 2499)
        for p in (1e-9, 0.001, 0.025, 0.3, 0.8, 0.975, 0.9995)
    ]
    normal = [
        [p, stats.norm.ppf(p), stats.norm.cdf(stats.norm.ppf(p))]
        for p in (1e-12, 1e-6, 0.025, 0.3, 0.8, 0.975, 1 - 1e-9)
    ]
    f = [
        [x, a, b, stats.f.sf(x, a, b)]
        for a in (1, 2, 5)
        for b in (1, 4, 12, 300)
        for x in (0.01, 0.5, 3.84, 30.0)
    ]
    return {"student": student, "studentQuantiles": quantiles, "normal": normal, "f": f}


def adjusted():
    p = [0.001, 0.2, 0.011, 0.04, 0.04, 0.9, 0.0005, 0.03]
    methods = {
        "holm": "holm",
        "benjamini-hochberg": "fdr_bh",
        "benjamini-yekutieli": "fdr_by",
        "bonferroni": "bonferroni",
    }
    return {"p": p, **{ours: multipletests(p, method=m)[1].tolist() for ours, m in methods.items()}}


def performance(rng, n):
    r = np.round(0.0006 + 0.01 * rng.standard_t(4, n), 6)
    wealth = pd.Series(np.concatenate([[1.0], np.cumprod(1 + r)]))
    depth = wealth / wealth.cummax() - 1
    ratio = r.mean() / r.std(ddof=1)
    skew, kurtosis = stats.skew(r), stats.kurtosis(r)
    error = np.sqrt((1 + ratio**2 / 2 - skew * ratio + kurtosis / 4 * ratio**2) / (n - 1))
    euler, count, spread = 0.57721566490153286, 12, 0.04
    best = spread * (
        (1 - euler) * stats.norm.ppf(1 - 1 / count)
        + euler * stats.norm.ppf(1 - 1 / (count * np.e))
    )
    annual = wealth.iloc[-1] ** (252 / n) - 1
    return {
        "returns": r.tolist(),
        "wealth": wealth.iloc[-1],
        "annualReturn": annual,
        "arithmeticReturn": 252 * r.mean(),
        "volatility": r.std(ddof=1) * np.sqrt(252),
        "sharpe": ratio * np.sqrt(252),
        "sharpeError": error * np.sqrt(252),
        "sortino": r.mean() / np.sqrt(np.mean(np.minimum(r, 0) ** 2)) * np.sqrt(252),
        "maxDrawdown": depth.min(),
        "calmar": annual / -depth.min(),
        "skewness": skew,
        "excessKurtosis": kurtosis,
        "probabilistic": stats.norm.cdf(ratio / error),
        "variants": count,
        "variantDeviation": spread,
        "deflated": stats.norm.cdf((ratio - best) / error),
    }


def decay():
    lags = np.arange(1, 64)
    rng = np.random.default_rng(9)
    errors = 0.002 + 0.001 * rng.random(63)
    means = 0.05 * 2 ** (-lags / 20) + errors * rng.standard_normal(63)
    means, errors = np.round(means, 6), np.round(errors, 6)
    (level, half), _ = optimize.curve_fit(
        lambda k, a, length: a * 2 ** (-k / length),
        lags,
        means,
        p0=(0.04, 10),
        sigma=errors,
        xtol=1e-15,
        ftol=1e-15,
    )
    return {
        "lags": lags.tolist(),
        "means": means.tolist(),
        "errors": errors.tolist(),
        "level": level,
        "halfLife": half,
    }


def main():
    rng = np.random.default_rng(20261121)
    known = {
        "distributions": distributions(),
        "series": [
            one_series(rng, 250, 1, 0.02),
            one_series(rng, 500, 5, 0.02),
            one_series(rng, 500, 21, 0.02),
        ],
        "fixedB": [[b, fixed_b_critical(b)] for b in (0.02, 0.1, 0.3, 0.6, 1.0)],
        "regression": [regression(rng, 300, 1), regression(rng, 300, 5)],
        "joint": joint(rng, 400, 5),
        "periods": periods(rng),
        "adjusted": adjusted(),
        "performance": performance(rng, 300),
        "decay": decay(),
    }
    (HERE / "inference.json").write_text(json.dumps(known) + "\n")


main()
