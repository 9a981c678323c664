import type { ChildProcess } from "node:child_process";
import { createSocket, type Socket as UdpSocket } from "node:dgram";
import { mkdir, readlink, realpath, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer, type Server } from "node:net";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { openTemporaryFolder, type TemporaryFolder } from "../../base/disk/temporary_folder.ts";
import { ScoreframeError } from "../../base/errors.ts";
import { startProgram } from "../../base/runtime/programs.ts";
import { LOCK_FILE } from "../lock/lock.ts";
import {
  DEVICES,
  environmentOf,
  fillBox,
  firstCell,
  freePorts,
  isBelow,
  readablePaths,
} from "./box_folder.ts";
import { BOX_PROGRAM } from "./box_program.ts";
import { findPython, type Python } from "./box_python.ts";
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
export interface ExecutedNotebook extends Pick<NotebookFile, "cells"> {
  /** The cell at which the kernel ended, and the cause; `null` if it did not end. */
  readonly ended: { readonly cell: number; readonly why: "timeout" | "died" } | null;
  /** The cells that changed the lock. */
  readonly rewritten: readonly number[];
  /** Its box. */
  readonly box: BoxReport;
  /** Names that the study maps to modules of its own although they are the library's; they stay the library's. */
  readonly unmapped: readonly string[];
}

/** A notebook of a study, to be run in a box. */
export interface BoxedStudy {
  /** Folder of the study; a copy of it is used. */
  readonly folder: string;
  /** Path of the notebook in it. */
  readonly path: string;
  /** Time limit of a cell, in seconds. */
  readonly timeoutS: number;
  /**
   * Command of the kernel, before its arguments.
   *
   * @default this Deno
   */
  readonly kernel?: readonly string[];
}

/** A way of shutting notebooks in. */
export interface Box {
  /** Its name. */
  readonly tier: BoxTier;
  /**
   * Executes a notebook with a Deno kernel, shut in with a copy of the study, this library and an empty home, without a network,
   * from a folder and a configuration of ours.
   *
   * @throws {ScoreframeError} If the kernel does not run, or something left the box
   */
  execute(notebook: NotebookFile, study: BoxedStudy): Promise<ExecutedNotebook>;
}

// A name space of root's own is made so that root is nobody in it; bubblewrap leaves it root.
const TIERS: Readonly<Record<string, readonly BoxTier[]>> = {
  linux: process.getuid?.() === 0 ? ["namespaces"] : ["bubblewrap", "namespaces"],
  darwin: ["sandbox-exec"],
};

/**
 * Chooses the way of shutting notebooks in: the first out of which nothing led when it was tried with a kernel and a folder of
 * ours, before anything of the study is read.
 *
 * @param options Runs with the user's rights instead; the ways that are tried (by default those of the system)
 * @throws {ScoreframeError} If Python's pyzmq is missing, or nothing shuts in
 */
export async function openBox(
  { isTrusted, tiers = TIERS[process.platform] ?? [] }: {
    readonly isTrusted: boolean;
    readonly tiers?: readonly BoxTier[];
  },
): Promise<Box> {
  const python = await findPython();
  const boxOf = (tier: BoxTier): Box => ({
    tier,
    execute: async (notebook, study) => {
      using start = await BoxStart.open(tier, python, study);
      const outcome = await start.execute(notebook);
      if (typeof outcome !== "string") return outcome;
      throw new ScoreframeError(
        `Cannot run ${study.path}: expected a kernel that runs its cells in the box (${tier}), got "${outcome}"; a copy of the ` +
          "study without its other files may tell which of them is the cause",
      );
    },
  });
  if (isTrusted) return boxOf("trust");
  const failures: string[] = [];
  for (const tier of tiers) {
    using empty = await openTemporaryFolder("empty");
    using start = await BoxStart.open(tier, python, { folder: empty.path, path: "", timeoutS: 60 });
    const outcome = await start.execute({ cells: [] });
    if (typeof outcome !== "string") return boxOf(tier);
    failures.push(`${tier}: ${outcome}`);
  }
  throw new ScoreframeError(
    "Cannot run the notebooks: expected a way to shut their code in, got none " +
      `(${
        failures.join("; ") || `none is known for ${process.platform}`
      }); run it as a user whose system has user namespaces ` +
      `or bubblewrap, or let a container be the box, with an image that has Deno, pyzmq and scoreframe: ${CONTAINER}`,
  );
}

const CONTAINER = "podman run --rm --network=none --read-only --tmpfs /tmp --cap-drop=ALL " +
  "--security-opt=no-new-privileges --user 65534:65534 -v STUDY:/study:ro IMAGE " +
  "scoreframe study verify /study --run --trust";

interface StartParts {
  readonly tier: BoxTier;
  readonly python: Python;
  readonly study: BoxedStudy;
  readonly outer: TemporaryFolder;
  readonly home: TemporaryFolder;
}

// One start of the box, with listeners outside that know what came out.
class BoxStart implements Disposable {
  readonly #came: string[] = [];
  readonly #of: StartParts;
  readonly #servers: (Server | UdpSocket)[] = [];

  private constructor(parts: StartParts) {
    this.#of = parts;
  }

  static async open(tier: BoxTier, python: Python, study: BoxedStudy): Promise<BoxStart> {
    const outer = await openTemporaryFolder("run");
    // A home that cannot be written has no file to try to read: then it is one outside of the box.
    const home = await openTemporaryFolder("secret", { parent: homedir(), isHidden: true })
      .catch(() => openTemporaryFolder("secret"));
    return new BoxStart({ tier, python, study, outer, home });
  }

  /** The executed notebook, or why the box did not hold or its kernel did not run. */
  async execute(notebook: NotebookFile): Promise<ExecutedNotebook | string> {
    const folder = join(await realpath(this.#of.outer.path), "box");
    const { settings, unmapped } = await this.#settings(notebook, folder);
    const [command, ...args] = await this.#command(settings);
    const child = await startProgram(command!, args, {
      cwd: folder,
      env: environmentOf(folder),
      stdio: ["pipe", "pipe", "pipe"],
    });
    try {
      const outcome = await this.#talk(child, settings);
      return typeof outcome === "string" ? outcome : { ...outcome, unmapped };
    } finally {
      child.kill("SIGKILL");
    }
  }

  async #talk(child: ChildProcess, settings: BoxSettings) {
    let said = "";
    child.stderr!.on("data", (bytes) => said = (said + bytes).slice(-4_000));
    const failed = new Promise<never>((_, reject) => child.on("error", reject));
    failed.catch(() => {});
    // A box that did not start does not read.
    child.stdin!.on("error", () => {});
    child.stdin!.write(`${JSON.stringify(settings)}\n`);
    const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
    const next = () =>
      Promise.race([lines.next(), failed])
        .catch((error: Error) => ({ done: true, value: error.message }));
    const why = () => said.trim().split("\n").at(-1) || "it ended without a word";
    const first = await next();
    if (first.done) return first.value ?? why();
    const attempts = JSON.parse(first.value) as Record<string, string | null>;
    const isTrusted = this.#of.tier === "trust";
    const open = Object.keys(attempts).filter((way) => attempts[way] === null);
    const out = [...new Set([...open, ...this.#came])];
    if (!isTrusted && out.length > 0) return `${out.join(", ")} led out`;
    child.stdin!.end("go\n");
    const second = await next();
    if (second.done) return second.value ?? why();
    if (!isTrusted && this.#came.length > 0) {
      return `${[...new Set(this.#came)].join(", ")} left it while the cells ran`;
    }
    const box = { tier: this.#of.tier, attempts: isTrusted ? {} : attempts };
    return { ...JSON.parse(second.value), box };
  }

  async #settings(notebook: NotebookFile, folder: string) {
    const { tier, python, study: { folder: study, path, timeoutS, kernel = [Deno.execPath()] } } =
      this.#of;
    await mkdir(join(this.#of.outer.path, "root"));
    const { reads, unmapped } = await fillBox(folder, study);
    const secret = join(this.#of.home.path, "secret");
    await writeFile(secret, "a file of the home");
    const [tcp, udp] = [await this.#listen(), await this.#receive()];
    const [socket, attempts] = [join(folder, "socket"), join(folder, "attempts.json")];
    await this.#listen(socket);
    const readable = readablePaths([...python.reads, ...reads]);
    const hidden = [homedir(), process.cwd(), ...python.searched]
      .filter((path) => !isBelow(path, readable));
    const settings = {
      notebook: { cells: [firstCell(tcp, attempts), ...notebook.cells] },
      tier,
      folder,
      attempts,
      readable,
      tcp,
      udp,
      socket,
      secret,
      timeoutS,
      mountPoint: join(await realpath(this.#of.outer.path), "root"),
      isFiltered: process.platform === "linux" && tier !== "trust",
      devices: DEVICES,
      packages: python.packages,
      kernel,
      hidden,
      shown: [...readable, folder],
      ports: await freePorts(5),
      cwd: dirname(join(folder, "study", path)),
      watched: join(folder, "study", LOCK_FILE),
    };
    return { settings, unmapped };
  }

  async #command(settings: BoxSettings): Promise<readonly string[]> {
    const python = [this.#of.python.program, "-I", "-c", BOX_PROGRAM];
    if (this.#of.tier === "bubblewrap") return [...await bubblewrap(settings), ...python];
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

async function bubblewrap({ folder, readable }: BoxSettings): Promise<readonly string[]> {
  const shown = await Promise.all(readable.map(async (path) => {
    const leadsTo = await readlink(path).catch(() => null);
    // Deno's spawn() puts "run -A" before its own path, wherever it stands in the arguments.
    return leadsTo === null
      ? ["--ro-bind", `/.${path}`, `/.${path}`]
      : ["--symlink", leadsTo, `/.${path}`];
  }));
  return [
    ...["bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"],
    ...["--tmpfs", "/tmp", "--proc", "/proc", "--dev", "/dev", ...shown.flat()],
    ...["--bind", folder, folder, "--remount-ro", "/proc", "--remount-ro", "/"],
    ...["--chdir", folder],
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
