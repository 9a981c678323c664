"""Archives the score sets of a UTC day, with Prefect 3: prefect_flow.py serves the nightly run, prefect_flow.py DAY runs one."""

import datetime
import os
import shlex
import subprocess
import sys

from prefect import flow, task

ARCHIVE = os.environ.get(
    "SCOREFRAME_ARCHIVE", "/opt/scoreframe/deno run -A --no-remote /opt/scoreframe/archive.js"
)
DATASET = os.environ.get("SCOREFRAME_DATASET", "/data/scores")


@task(retries=3, retry_delay_seconds=1200, log_prints=True)
def archive_day(day: str):
    done = subprocess.run(
        [*shlex.split(ARCHIVE), DATASET, day], capture_output=True, text=True
    )
    print(done.stdout, done.stderr)
    done.check_returncode()


@flow(name="scoreframe archive")
def archive(day: str | None = None):
    today = datetime.datetime.now(datetime.timezone.utc).date()
    archive_day(day or str(today - datetime.timedelta(days=1)))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        archive(sys.argv[1])
    else:
        archive.serve(cron="15 1 * * *")
