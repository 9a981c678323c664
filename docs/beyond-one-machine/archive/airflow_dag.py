"""Archives the score sets of each UTC day, with Airflow 3. SCOREFRAME_URL and the key are in the worker's environment."""

import os

import pendulum
from airflow.providers.standard.operators.bash import BashOperator
from airflow.sdk import DAG

ARCHIVE = os.environ.get(
    "SCOREFRAME_ARCHIVE", "/opt/scoreframe/deno run -A --no-remote /opt/scoreframe/archive.js"
)
DATASET = os.environ.get("SCOREFRAME_DATASET", "/data/scores")

with DAG(
    "scoreframe_archive",
    schedule="15 1 * * *",
    start_date=pendulum.datetime(2026, 11, 1, tz="UTC"),
    # Each missed day is a run of its own; one at a time, because they share the account's minute.
    catchup=True,
    max_active_runs=1,
):
    BashOperator(
        task_id="archive",
        # The run of a night archives the day before.
        bash_command=f"{ARCHIVE} {DATASET} {{{{ macros.ds_add(ds, -1) }}}}",
        retries=3,
        retry_delay=pendulum.duration(minutes=20),
    )
