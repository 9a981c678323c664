"""Analyses a factor of a dataset on Dask: python dask_job.py SCHEDULER DATASET FACTOR OUT

SCHEDULER is an address such as tcp://10.0.0.5:8786. DATASET and OUT are paths that every node sees. The nodes need the
command scoreframe, or what SCOREFRAME says instead. A task whose worker dies is run again elsewhere: a part takes its
name only when it is whole.
"""

import json
import os
import shlex
import subprocess
import sys

from dask.distributed import Client

scheduler, dataset, factor, out = sys.argv[1:]
command = shlex.split(os.environ.get("SCOREFRAME", "scoreframe"))


def analyse(year):
    part = f"{out}/parts/{factor}-{year}.parquet"
    partition = ["--factor", factor, "--partition", f"year={year}", "--out", part]
    subprocess.run([*command, "analyse", dataset, *partition], check=True)
    return part


if __name__ == "__main__":
    with open(f"{dataset}/manifest.json") as file:
        partitions = json.load(file)["partitions"]
    years = [p["year"] for p in partitions if p["table"] == "scores" and p["factor"] == factor]
    with Client(scheduler) as client:
        parts = client.gather(client.map(analyse, years, pure=False))
    subprocess.run([*command, "analyse", "--merge", *parts, "--out", f"{out}/tables"], check=True)
