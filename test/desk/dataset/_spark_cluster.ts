import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { ROOT } from "../../helpers/source_files.ts";

const VENV = join(ROOT, ".scoreframe/venv");
const LOOPBACK = "127.0.0.1";

/** A Spark cluster on this machine: a master and workers, each a process of its own. */
export interface SparkCluster {
  /** Address of the master. */
  readonly master: string;
  /** Kills a worker and its executor at once, as a machine that loses its power. */
  kill(worker: number): void;
  /** Ends all of it. */
  stop(): void;
}

/** Starts a cluster of so many workers with one core each. */
export async function startSparkCluster(workers: number, folder: string): Promise<SparkCluster> {
  const home = sparkHome();
  const processes: ChildProcess[] = [];
  const start = (name: string, args: readonly string[]) => {
    const child = spawn(
      join(home, "bin/spark-class"),
      [`org.apache.spark.deploy.${name}`, ...args],
      {
        // A group of its own, so that a worker is killed with its executor.
        detached: true,
        stdio: ["ignore", "ignore", "pipe"],
        env: { ...process.env, SPARK_LOCAL_IP: LOOPBACK, SPARK_HOME: home },
      },
    );
    processes.push(child);
    return child;
  };
  const quiet = ["--host", LOOPBACK, "--port", "0", "--webui-port", "0"];
  const master = await said(
    start("master.Master", quiet),
    /Starting Spark master at (spark:\/\/\S+)/,
  );
  for (let i = 0; i < workers; i++) {
    const own = ["--cores", "1", "--memory", "1g", "--work-dir", join(folder, `worker-${i}`)];
    await said(
      start("worker.Worker", [...quiet, ...own, master]),
      /Successfully registered with master/,
    );
  }
  return {
    master,
    kill: (worker) => killGroup(processes[worker + 1]!),
    stop: () => processes.forEach(killGroup),
  };
}

/** Where PySpark keeps what it starts. */
function sparkHome(): string {
  const [python] = readdirSync(join(VENV, "lib")).filter((name) => name.startsWith("python"));
  return join(VENV, "lib", python!, "site-packages/pyspark");
}

function killGroup({ pid }: ChildProcess): void {
  try {
    process.kill(-pid!, "SIGKILL");
  } catch {
    // It has ended.
  }
}

function said(child: ChildProcess, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    child.stderr!.on("data", (chunk) => {
      text += chunk;
      const found = pattern.exec(text);
      if (found !== null) resolve(found[1] ?? "");
    });
    child.on("exit", (code) => reject(new Error(`ended with ${code}: ${text.slice(-2000)}`)));
  });
}
