"""Processor time and memory in which the Python client reads a release of 900,000 rows, as multiples of those of Polars' read_csv:
.scoreframe/venv/bin/python bench/python_client.py
"""

import gzip
import json
import pathlib
import random
import subprocess
import sys
import tempfile

READ = """
import resource, sys, time
sys.path.insert(0, sys.argv[2])
import polars
import factor_scores
content = open(sys.argv[3], "rb").read()
before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
if sys.argv[1] == "polars":
    frame = polars.read_csv(sys.argv[3], try_parse_dates=True)
else:
    frame = factor_scores._parse_release(content, "ecpnd_score", {})
assert frame.height == 900_000
print(time.process_time() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""

sources = str(pathlib.Path(__file__).parents[1] / "docs/python")
path = f"{tempfile.mkdtemp()}/release.csv.gz"
random.seed(1)
with gzip.open(path, "wt", compresslevel=6) as file:
    file.write("date,ticker,ecpnd_score\n")
    for day in range(2000):
        date = f"{2000 + day // 336}-{1 + day // 28 % 12:02}-{1 + day % 28:02}"
        for name in range(450):
            score = "" if random.random() < 0.05 else repr(round(random.random(), 12))
            file.write(f"{date},T{name:04},{score}\n")


def best(who):
    runs = [subprocess.run([sys.executable, "-B", "-c", READ, who, sources, path], capture_output=True, text=True, check=True)
            for _ in range(5)]
    return [min(values) for values in zip(*(map(float, run.stdout.split()) for run in runs))]


own, polars = best("client"), best("polars")
print(json.dumps({"cpu": round(own[0] / polars[0], 2), "memory": round(own[1] / polars[1], 2)}))
