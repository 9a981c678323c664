import { type ChildProcessByStdio, execFile, spawn } from "node:child_process";
import { createSocket, type Socket as UdpSocket } from "node:dgram";
import { mkdir, realpath, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer, type Server } from "node:net";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import type { Readable, Writable } from "node:stream";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { openTemporaryFolder, type TemporaryFolder } from "../../base/disk/temporary_folder.ts";
import { ScoreframeError } from "../../base/errors.ts";
import { LOCK_FILE } from "../lock/lock.ts";
import {
  DEVICES,
  environmentOf,
  fillBox,
  firstCell,
  freePorts,
  readablePaths,
} from "./box_folder.ts";
import { BOX_PROGRAM } from "./box_program.ts";
import type { NotebookFile } from "./notebook_file.ts";

/** Way of shutting a notebook in; `trust` is none, on the user's word. */
export type BoxTier = "bubblewrap" | "namespaces" | "sandbox-exec" | "trust";

/** The box that a notebook ran in. */
export interface BoxReport {
  readonly tier: BoxTier;
  /** Attempts before the first cell, each way out with what stopped it; empty for `trust`. */
  readonly attempts: Readonly<Record<string, string>>;
}

/** An executed notebook. */
export interface ExecutedNotebook extends NotebookFile {
  /** The cell at which the kernel ended, and the cause; `null` if it did not end. */
  readonly ended: { readonly cell: number; readonly why: "timeout" | "died" } | null;
  /** The cells that changed the lock. */
  readonly rewritten: readonly number[];
  /** Its box. */
  readonly box: BoxReport;
}

/** Options of {@link executeBoxed}. */
export interface BoxOptions {
  /** Folder of the study; a copy of it is used. */
  readonly folder: string;
  /** Path of the notebook in it. */
  readonly path: string;
  /** Time limit of a cell, in seconds. */
  readonly timeoutS: number;
  /** Runs the code with the user's rights. */
  readonly isTrusted: boolean;
  /**
   * The ways of shutting in that are tried, in order.
   *
   * @default those of the system
   */
  readonly tiers?: readonly BoxTier[];
}

const run = promisify(execFile);
// The first python3 on the PATH may not be the one with Jupyter.
const PYTHONS = ["python3", "/usr/bin/python3"];
// Isolated, Python leaves out the user's own packages too, where pip installs Jupyter.
const FIND_JUPYTER = `
import json, site, sys
own = site.getusersitepackages()
sys.path.append(own)
import nbclient, nbformat, jupyter_client
print(json.dumps({"packages": [own], "prefixes": [sys.prefix, sys.base_prefix, own, *[p for p in sys.path if p]]}))
`;
const TIERS: Readonly<Record<string, readonly BoxTier[]>> = {
  linux: ["bubblewrap", "namespaces"],
  darwin: ["sandbox-exec"],
};
/**
 * Executes a notebook with Jupyter's client and a Deno kernel together in a box of the operating system: without a network,
 * with a copy of the study, this library and an empty home, from a folder and a configuration of ours. The way of shutting in
 * is the first out of which nothing led when it was tried.
 *
 * @throws {ScoreframeError} If Python's nbclient is missing, or nothing shuts in
 */
export async function executeBoxed(
  notebook: NotebookFile,
  options: BoxOptions,
): Promise<ExecutedNotebook> {
  const python = await findPython();
  const { isTrusted, tiers = TIERS[process.platform] ?? [] } = options;
  const failures: string[] = [];
  for (const tier of isTrusted ? ["trust" as const] : tiers) {
    using attempt = await BoxAttempt.open(tier, python, options);
    const outcome = await attempt.execute(notebook);
    if (typeof outcome !== "string") return outcome;
    failures.push(`${tier}: ${outcome}`);
  }
  throw new ScoreframeError(
    "Cannot run the notebooks: expected a way to shut their code in, got none " +
      `(${failures.join("; ") || `none is known for ${process.platform}`}); run it where ` +
      "bubblewrap or user namespaces work, or, if you trust the code as your own, " +
      "with --trust",
  );
}

interface Python {
  readonly program: string;
  readonly packages: readonly string[];
  readonly prefixes: readonly string[];
}

async function findPython(): Promise<Python> {
  for (const program of PYTHONS) {
    const options = { cwd: tmpdir(), env: environmentOf(tmpdir()) };
    const found = await run(program, ["-I", "-c", FIND_JUPYTER], options).catch(() => null);
    if (found !== null) return { program, ...JSON.parse(found.stdout) };
  }
  throw new ScoreframeError(
    "Cannot execute notebooks: expected a python3 with Jupyter's nbclient, got none; install it (Debian: " +
      "apt-get install jupyter-nbconvert jupyter-client)",
  );
}

interface AttemptParts {
  readonly tier: BoxTier;
  readonly python: Python;
  readonly options: BoxOptions;
  readonly outer: TemporaryFolder;
  readonly home: TemporaryFolder;
}

// One start of the box, with listeners outside that know what came out.
class BoxAttempt implements Disposable {
  readonly #came: string[] = [];
  readonly #of: AttemptParts;
  readonly #servers: (Server | UdpSocket)[] = [];

  private constructor(parts: AttemptParts) {
    this.#of = parts;
  }

  static async open(tier: BoxTier, python: Python, options: BoxOptions): Promise<BoxAttempt> {
    const outer = await openTemporaryFolder("run");
    // A home that cannot be written has no file to try to read: then it is one outside of the box.
    const home = await openTemporaryFolder("secret", { parent: homedir(), isHidden: true })
      .catch(() => openTemporaryFolder("secret"));
    return new BoxAttempt({ tier, python, options, outer, home });
  }

  /** The executed notebook, or why the box did not hold. */
  async execute(notebook: NotebookFile): Promise<ExecutedNotebook | string> {
    const folder = join(await realpath(this.#of.outer.path), "box");
    const settings = await this.#settings(notebook, folder);
    const [command, ...args] = await this.#command(settings);
    const child = spawn(command!, args, {
      cwd: folder,
      env: environmentOf(folder),
      stdio: ["pipe", "pipe", "pipe"],
    });
    try {
      return await this.#talk(child, settings);
    } finally {
      child.kill("SIGKILL");
    }
  }

  async #talk(
    child: ChildProcessByStdio<Writable, Readable, Readable>,
    settings: BoxSettings,
  ): Promise<ExecutedNotebook | string> {
    let said = "";
    child.stderr.on("data", (bytes) => said = (said + bytes).slice(-4_000));
    const failed = new Promise<never>((_, reject) => child.on("error", reject));
    failed.catch(() => {});
    // A box that did not start does not read.
    child.stdin.on("error", () => {});
    child.stdin.write(`${JSON.stringify(settings)}\n`);
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const next = () => Promise.race([lines.next(), failed]);
    const why = () => said.trim().split("\n").at(-1) || "it ended without a word";
    const first = await next().catch((error: Error) => ({ done: true, value: error.message }));
    if (first.done) return first.value ?? why();
    const attempts = JSON.parse(first.value) as Record<string, string | null>;
    const isTrusted = this.#of.tier === "trust";
    const open = Object.keys(attempts).filter((way) => attempts[way] === null);
    const out = [...new Set([...open, ...this.#came])];
    if (!isTrusted && out.length > 0) return `${out.join(", ")} led out`;
    child.stdin.end("go\n");
    const second = await next();
    if (second.done) {
      throw new ScoreframeError(
        `Cannot execute the notebook: expected Jupyter to run it, got "${why()}"; check that jupyter runs by itself`,
      );
    }
    if (!isTrusted && this.#came.length > 0) {
      throw new ScoreframeError(
        `Cannot vouch for the run of ${this.#of.options.path}: expected nothing to leave its ` +
          `box, got ${[...new Set(this.#came)].join(", ")}`,
      );
    }
    const box = {
      tier: this.#of.tier,
      attempts: isTrusted ? {} : attempts as Record<string, string>,
    };
    return { ...JSON.parse(second.value), box };
  }

  async #settings(notebook: NotebookFile, folder: string): Promise<BoxSettings> {
    const { folder: study, path, timeoutS } = this.#of.options;
    await mkdir(join(this.#of.outer.path, "root"));
    const needed = await fillBox(folder, study);
    const secret = join(this.#of.home.path, "secret");
    await writeFile(secret, "a file of the home");
    const tcp = await this.#listen();
    const udp = await this.#receive();
    const socket = join(folder, "socket");
    await this.#listen(socket);
    const attempts = join(folder, "attempts.json");
    const prefixes = this.#of.python.prefixes.filter((prefix) =>
      prefix !== "/" && prefix !== homedir()
    );
    return {
      notebook: { ...notebook, cells: [firstCell(tcp, attempts), ...notebook.cells] },
      ...{ folder, mountPoint: join(await realpath(this.#of.outer.path), "root"), attempts },
      tier: this.#of.tier,
      isFiltered: process.platform === "linux" && this.#of.tier !== "trust",
      readable: await readablePaths([...prefixes, ...needed]),
      devices: DEVICES,
      packages: this.#of.python.packages,
      ports: await freePorts(5),
      ...{ tcp, udp, socket, secret, timeoutS },
      cwd: dirname(join(folder, "study", path)),
      watched: join(folder, "study", LOCK_FILE),
    };
  }

  async #command(settings: BoxSettings): Promise<readonly string[]> {
    const python = [this.#of.python.program, "-I", "-c", BOX_PROGRAM];
    if (this.#of.tier === "bubblewrap") return [...bubblewrap(settings), ...python];
    if (this.#of.tier !== "sandbox-exec") return python;
    return ["/usr/bin/sandbox-exec", "-p", await appleProfile(settings), ...python];
  }

  async #listen(path?: string): Promise<number> {
    const server = createServer((socket) => {
      socket.on("error", () => {});
      this.#came.push(path === undefined ? "TCP" : "a socket by path");
      socket.destroy();
    });
    this.#servers.push(server);
    await new Promise<void>((ready) =>
      path === undefined ? server.listen(0, "127.0.0.1", ready) : server.listen(path, ready)
    );
    return path === undefined ? (server.address() as AddressInfo).port : 0;
  }

  async #receive(): Promise<number> {
    const socket = createSocket("udp4");
    socket.on("message", () => this.#came.push("UDP"));
    this.#servers.push(socket);
    await new Promise<void>((ready) => socket.bind(0, "127.0.0.1", ready));
    return socket.address().port;
  }

  [Symbol.dispose](): void {
    for (const server of this.#servers) server.close();
    this.#of.home.remove();
    this.#of.outer.remove();
  }
}

interface BoxSettings extends Record<string, unknown> {
  readonly folder: string;
  readonly readable: readonly string[];
  readonly ports: readonly number[];
}

function bubblewrap({ folder, readable }: BoxSettings): readonly string[] {
  return [
    ...["bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"],
    ...["--tmpfs", "/tmp", "--proc", "/proc", "--dev", "/dev"],
    // Deno's spawn() puts "run -A" before its own path, wherever it stands in the arguments.
    ...readable.flatMap((path) => ["--ro-bind", `/.${path}`, `/.${path}`]),
    ...["--bind", folder, folder, "--chdir", folder],
  ];
}

async function appleProfile({ folder, readable, ports }: BoxSettings): Promise<string> {
  const real = await Promise.all(readable.map((path) => realpath(path)));
  const below = (paths: readonly string[]) =>
    paths.map((path) => `(subpath ${JSON.stringify(path)})`).join(" ");
  const places = ports.map((port) => `"localhost:${port}"`);
  return [
    "(version 1) (deny default) (allow process-exec* process-fork sysctl-read mach-lookup file-read-metadata)",
    "(allow signal (target same-sandbox))",
    `(allow file-read* (literal "/") ${below([...readable, ...real, folder])})`,
    `(allow file-write* ${below([folder])} (literal "/dev/null"))`,
    ...places.flatMap((place) => [
      `(allow network-bind network-inbound (local tcp ${place}))`,
      `(allow network-outbound (remote tcp ${place}))`,
    ]),
  ].join("\n");
}
