"""Prints what arch says of a family of series and ffn of its overfitting, with the draws of arch.

    pip install numpy==2.4.6 pandas==3.1.1 arch==8.0.0 ffn==1.4.1
    python run_selection.py 50 6 99 > ../known/selection.json
"""

import json
import sys

import numpy as np
import pandas as pd
from arch.bootstrap import SPA, StationaryBootstrap, StepM, optimal_block_length
from ffn import calc_prob_backtest_overfitting

SEED = 20261122
BLOCK = 4


def case(n, width, draws, planted):
    rng = np.random.default_rng(SEED)
    common = rng.standard_normal((n, 1))
    own = rng.standard_normal((n, width))
    x = 0.1 * (0.7 * common + own + 0.4 * np.roll(own, 1, 0))
    # The last planted mean is too bad to count for the consistent p value.
    x += np.array([*planted, -0.2] + [0.0] * (width - 1 - len(planted)))
    x = np.round(x, 6)
    x[:, -1] = x[:, -2]
    given = (np.zeros(n), -x)
    options = {"block_size": BLOCK, "reps": draws, "seed": SEED}
    spa = SPA(*given, **options)
    spa.compute()
    step = StepM(*given, size=0.05, **options)
    step.compute()
    bootstrap = StationaryBootstrap(BLOCK, np.arange(n), seed=SEED)
    overfit = calc_prob_backtest_overfitting(pd.DataFrame(x), n_blocks=8, full_output=True)
    return {
        "columns": x.T.tolist(),
        "block": BLOCK,
        "places": [data[0][0].tolist() for data in bootstrap.bootstrap(draws)],
        "p": spa.pvalues.to_dict(),
        "critical": spa.critical_values(0.05).to_dict(),
        "variances": spa._loss_diff_var.tolist(),
        "valid": spa._valid_columns.tolist(),
        "superior": [int(k) for k in step.superior_models],
        "blocks": optimal_block_length(x)["stationary"].tolist(),
        "pbo": overfit["pbo"],
        "logits": overfit["logits"].tolist(),
        "meanRank": overfit["mean_oos_rank"],
    }


size = [int(text) for text in sys.argv[1:4]]
print(json.dumps([case(*size, planted) for planted in ([0.12, 0.09], [0.02, 0.01])]))
