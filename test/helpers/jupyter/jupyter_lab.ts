import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { ROOT } from "../source_files.ts";

const BIN = join(ROOT, ".scoreframe/lab/bin");
const MISSING = "JupyterLab is required: python3 -m venv .scoreframe/lab && " +
  ".scoreframe/lab/bin/pip install -r .ci/lab_requirements.txt";
const LONG_MS = 120_000;

/** A JupyterLab that runs. */
export interface TestLab extends AsyncDisposable {
  /** Address of the page of a notebook in its folder. */
  urlOf(notebook: string): string;
}

/**
 * Tests that need a real JupyterLab. Where it is missing, they fail in continuous integration and are skipped elsewhere, with
 * a line that says so.
 */
export function describeWithLab(name: string, body: () => void): void {
  if (existsSync(join(BIN, "jupyter-lab"))) return void describe(name, body);
  if (process.env["CI"] !== undefined) {
    return void test(`${name}: JupyterLab is there`, () => expect.fail(MISSING));
  }
  process.stderr.write(`\nSKIPPED, ${name}. ${MISSING}\n\n`);
  describe.skip(name, body);
}

/**
 * Starts JupyterLab over a new folder, whose notebooks it trusts, with all of its own files in it. Disposing of it ends the kernels, too,
 * and removes the folder.
 *
 * @param parent Folder of the new folder
 * @param prepare Writes the notebooks into it, and returns their names
 */
export async function startLab(
  parent: string,
  prepare: (folder: string) => Promise<readonly string[]>,
): Promise<TestLab> {
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(join(parent, "scoreframe-lab-"));
  const env = {
    ...process.env,
    JUPYTER_CONFIG_DIR: join(folder, ".config"),
    JUPYTER_DATA_DIR: join(folder, ".data"),
    JUPYTER_RUNTIME_DIR: join(folder, ".runtime"),
    JUPYTERLAB_SETTINGS_DIR: join(folder, ".settings"),
    JUPYTERLAB_WORKSPACES_DIR: join(folder, ".workspaces"),
  };
  const notebooks = await prepare(folder);
  const trusted = spawnSync(join(BIN, "jupyter-trust"), notebooks, { cwd: folder, env });
  if (trusted.status !== 0) throw new Error(`Cannot trust the notebooks: ${trusted.stderr}`);
  const args = ["--no-browser", "--allow-root", "--ip=127.0.0.1", "--port=0"];
  const quiet = ["--IdentityProvider.token=", "--LabApp.news_url=", "--ServerApp.log_level=ERROR"];
  const server = spawn(join(BIN, "jupyter-lab"), [...args, ...quiet], {
    cwd: folder,
    env,
    stdio: "ignore",
  });
  const base = await addressOf(server, join(folder, ".runtime"));
  return {
    urlOf: (notebook) => `${base}lab/tree/${notebook}`,
    [Symbol.asyncDispose]: async () => {
      await stop(server);
      // A kernel has a session of its own, outlives the server and writes into the folder; its command names the folder.
      spawnSync("pkill", ["-KILL", "-f", folder]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function addressOf(server: ChildProcess, runtime: string): Promise<string> {
  for (let waited = 0; waited < LONG_MS; waited += 100) {
    if (server.exitCode !== null) throw new Error(`JupyterLab ended with ${server.exitCode}`);
    const names = await readdir(runtime).catch((): string[] => []);
    const name = names.find((entry) => /^jpserver-\d+\.json$/.test(entry));
    const text = name === undefined ? "" : await readFile(join(runtime, name), "utf8");
    // JupyterLab is still writing a file that does not end.
    if (/\}\s*$/.test(text)) return JSON.parse(text).url;
    await wait(100);
  }
  server.kill("SIGKILL");
  throw new Error("JupyterLab did not start");
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = new Promise((resolve) => server.once("exit", resolve));
  // Nothing of it is needed any more: a server that asks its kernels first may take minutes.
  server.kill("SIGKILL");
  await ended;
}
