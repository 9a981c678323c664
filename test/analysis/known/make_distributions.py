"""Makes distributions.json: tails and quantiles over wide ranges, worked out with 60 digits.

scipy itself is up to 3e-9 off in places (Student's t near its centre), so that its numbers are compared and not kept.

    pip install mpmath==1.4.1 scipy==1.17.1
    python make_distributions.py
"""

import json
from math import isfinite
from pathlib import Path

import mpmath as mp
from scipy import special

mp.mp.dps = 60
HERE = Path(__file__).parent
DEGREES = [1, 2, 3, 4.5, 7, 10, 29, 63, 120, 251, 999, 1e4, 1e5]
T = [1e-8, 1e-3, 0.1, 0.5, 0.9, 1, 1.2, 1.6, 1.7320508, 1.8, 1.96, 2.5, 3, 4, 6, 10, 20, 35, 100, 1e4, 1e10]
Z = [1e-10, 1e-3, 0.3, 0.7, 1, 1.3, 1.49, 1.51, 1.96, 2, 3, 4, 5, 6, 8, 10, 14.2, 20, 26, 30, 33.3, 36, 37]
F = [1e-6, 0.01, 0.3, 0.8, 0.99, 1, 1.05, 1.3, 2, 3, 5, 10, 50, 1e3]
PAIRS = [
    (1, 1), (1, 10), (2, 5), (2, 1000), (3, 7.5), (10, 10), (10, 1),
    (5, 251), (9, 2500), (100, 100), (250, 9), (1000, 1000), (20, 1e5),
]  # fmt: skip
P = [
    1e-280, 1e-200, 1e-100, 1e-50, 1e-20, 1e-12, 1e-8, 1e-5, 1e-3, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.24, 0.26,
    0.3, 0.4, 0.49, 0.499999, 0.5000001, 0.7, 0.8, 0.9, 0.975, 0.99, 0.999, 0.9999999,
]  # fmt: skip


def fraction(a, b, x):
    """The continued fraction of the incomplete beta function, by Lentz' method."""
    c, d = mp.mpf(1), 1 / (1 - (a + b) * x / (a + 1))
    h, m = d, 1
    while True:
        even = m * (b - m) * x / ((a - 1 + 2 * m) * (a + 2 * m))
        d = 1 / (1 + even * d)
        c = 1 + even / c
        h *= d * c
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 1 + 2 * m))
        d = 1 / (1 + odd * d)
        c = 1 + odd / c
        h *= d * c
        m += 1
        if abs(d * c - 1) < mp.mpf(10) ** -35:
            return h


def incomplete_beta(a, b, x):
    if x > (a + 1) / (a + b + 2):
        return 1 - small_beta(b, a, 1 - x)
    return small_beta(a, b, x)


def small_beta(a, b, x):
    return x**a * (1 - x) ** b / (a * mp.beta(a, b)) * fraction(a, b, x)


def f_tail(f, df1, df2):
    f, a, b = mp.mpf(f), mp.mpf(df1), mp.mpf(df2)
    return incomplete_beta(b / 2, a / 2, b / (b + a * f))


def t_tail(t, df):
    return f_tail(mp.mpf(t) ** 2, 1, df) / 2


def z_tail(z):
    return mp.erfc(mp.mpf(z) / mp.sqrt(2)) / 2


def quantile(tail, p, guess):
    side = mp.mpf(p) if p < 0.5 else 1 - mp.mpf(p)
    x = float(mp.e ** mp.findroot(lambda u: mp.log(tail(mp.e**u)) - mp.log(side), mp.log(guess)))
    return -x if p < 0.5 else x


def is_number(value):
    return value > mp.mpf(10) ** -290


known = {
    "studentTail": [[t, df, float(t_tail(t, df))] for df in DEGREES for t in T if is_number(t_tail(t, df))],
    "studentQuantile": [
        [p, df, quantile(lambda t: t_tail(t, df), p, guess or 1e-6)]
        for df in DEGREES
        for p in P
        # scipy gives infinity for some, which is no place to begin.
        if (p >= 1e-100 or df >= 3) and isfinite(guess := abs(float(special.stdtrit(df, p))))
    ],
    "normalTail": [[z, float(z_tail(z))] for z in Z],
    "normalQuantile": [[p, quantile(z_tail, p, abs(float(special.ndtri(p))))] for p in P],
    "fTail": [[f, a, b, float(f_tail(f, a, b))] for a, b in PAIRS for f in F if is_number(f_tail(f, a, b))],
}
lists = [f'  "{name}": [\n    ' + ",\n    ".join(map(json.dumps, rows)) + "\n  ]" for name, rows in known.items()]
(HERE / "distributions.json").write_text("{\n" + ",\n".join(lists) + "\n}\n")
