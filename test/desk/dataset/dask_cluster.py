"""Runs the job for Dask on a cluster of two processes: dask_cluster.py JOB DATASET FACTOR OUT"""
import runpy
import sys

from distributed import LocalCluster

# The processes of the cluster load this file as well.
if __name__ == "__main__":
    job, *rest = sys.argv[1:]
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        sys.argv = [job, cluster.scheduler_address, *rest]
        runpy.run_path(job, run_name="__main__")
