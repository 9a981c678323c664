"""Runs variants of an analysis on Ray: python ray_job.py ADDRESS SCORES PRICES OUT OPTIONS.json...

ADDRESS is that of a cluster, such as auto or ray://10.0.0.5:10001. Every node sees the files and OUT, and has the command scoreframe, or what
SCOREFRAME says instead. One task is one whole analysis. A task whose worker dies is run again elsewhere: the folder of a result
appears whole.
"""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import ray

command = shlex.split(os.environ.get("SCOREFRAME", "scoreframe"))


def scoreframe(*words):
    # A task has one core: more threads of Polars only take memory. A worker's own setting counts.
    env = {"POLARS_MAX_THREADS": "1", **os.environ}
    return subprocess.run([*command, "analyse", *words], capture_output=True, text=True, env=env)


def variant(scores, prices, out, options):
    to = f"{out}/{Path(options).stem}"
    done = scoreframe("--scores", scores, "--prices", prices, "--options", options, "--to", to)
    # An analysis that failed has its row, with the reason; anything else is for the cluster to try again.
    if done.returncode and not os.path.exists(f"{to}/variant.json"):
        raise RuntimeError(done.stderr)
    return to


if __name__ == "__main__":
    address, scores, prices, out, *files = sys.argv[1:]
    ray.init(address)
    task = ray.remote(max_retries=20, retry_exceptions=True)(variant)
    folders = ray.get([task.remote(scores, prices, out, file) for file in files])
    print(scoreframe("--collect", *folders, "--to", f"{out}/all").stdout)
