"""Runs a job on a cluster of two processes, and kills workers in the middle of a task: run_cluster.py dask|ray JOB KILLS ARGS..."""
import os
import runpy
import sys
import threading
import time

import psutil


def kill_workers(kills, is_ready):
    """Kills the process that started an analysis; the analysis itself goes on, as on a machine that lost its manager."""
    done = 0
    while done < kills:
        time.sleep(0.2)
        for child in psutil.Process().children(recursive=True):
            try:
                if "--scores" not in child.cmdline():
                    continue
                worker = child.parent()
                if worker is None or worker.pid == os.getpid() or "--scores" in worker.cmdline():
                    continue
                # Dask's nanny gives up a worker that dies while it starts: without any, the job would wait for ever.
                if not is_ready(worker.pid):
                    continue
                worker.kill()
                done += 1
                print(f"killed {done}", flush=True)
                time.sleep(0.5)
                break
            except psutil.Error:
                continue


# The processes of a cluster load this file as well.
if __name__ == "__main__":
    kind, job, kills, *rest = sys.argv[1:]
    if kind == "dask":
        import dask
        from distributed import LocalCluster

        # A local cluster gives up a worker that is not back 15 s after it was lost, also if it was lost again meanwhile.
        dask.config.set({"distributed.deploy.lost-worker-timeout": "1h"})
        cluster = LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
        address = cluster.scheduler_address

        def is_ready(pid):
            processes = [nanny.process for nanny in cluster.workers.values()]
            return any(one is not None and one.pid == pid and one.status.name == "running" for one in processes)
    else:
        address = "local"

        def is_ready(pid):
            return True
    threading.Thread(target=kill_workers, args=[int(kills), is_ready], daemon=True).start()
    sys.argv = [job, address, *rest]
    runpy.run_path(job, run_name="__main__")
