"""Analyses a factor of a dataset on Dask: python dask_job.py SCHEDULER DATASET FACTOR OUT

SCHEDULER is an address such as tcp://10.0.0.5:8786. DATASET and OUT are paths that every node sees. The nodes need the
command scoreframe, or what SCOREFRAME says instead. A task whose worker dies is run again elsewhere: a part takes its
name only when it is whole.
"""

import os
import shlex
import subprocess
import sys

from dask.distributed import Client

scheduler, dataset, factor, out = sys.argv[1:]
command = shlex.split(os.environ.get("SCOREFRAME", "scoreframe"))


def threads():
    # A task has one core: more threads of Polars only take memory. A worker's own setting counts.
    return {"POLARS_MAX_THREADS": "1", **os.environ}


def scoreframe(*words):
    return subprocess.run([*command, "analyse", *words], check=True, stdout=subprocess.PIPE, text=True, env=threads())


def analyse(partition):
    part = f"{out}/parts/{factor}-{partition}.parquet"
    scoreframe(dataset, "--factor", factor, "--partition", partition, "--out", part)
    return part


if __name__ == "__main__":
    partitions = scoreframe(dataset, "--factor", factor, "--list").stdout.split()
    with Client(scheduler) as client:
        parts = client.gather(client.map(analyse, partitions, pure=False))
    scoreframe("--merge", *parts, "--out", f"{out}/tables")
