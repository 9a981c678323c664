// @heavy: two hundred ways out of each box, as root and as a user
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { createSocket } from "node:dgram";
import {
  chmod,
  chown,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ROOT } from "../../helpers/source_files.ts";
import { describeWithJupyter } from "../../helpers/jupyter/needs_jupyter.ts";
import type { Aims } from "./_cell_ways.ts";
import { AS_USER, ROOT_TIERS, USER_TIERS } from "./_tiers.ts";

const LONG_MS = 300_000;
const NOBODY = 65_534;
const run = promisify(execFile);
const isRoot = process.getuid?.() === 0;
const SETTINGS = ["kernel/core_pattern", "vm/swappiness", "fs/file-max", "vm/overcommit_memory"];

/** Who tries which box. */
const TRIED = [
  ...ROOT_TIERS.map((tier) => ["root", tier] as const),
  ...USER_TIERS.map((tier) => ["user", tier] as const),
];

let place: string;
let home: string;
let study: string;
let arrived: string[];
let key: string;
let closing: (() => unknown)[];
let victim: ChildProcess;

beforeEach(async () => {
  place = await mkdtemp("/var/tmp/scoreframe-ways-");
  await chmod(place, 0o755);
  [home, study] = [join(place, "home"), join(place, "study")];
  arrived = [];
  closing = [];
  key = `key${crypto.randomUUID().replaceAll("-", "")}`;
  for (const folder of [home, study, join(home, "project"), join(home, "cache", "gen", "other")]) {
    await mkdir(folder, { recursive: true });
  }
});
afterEach(async () => {
  for (const close of closing) close();
  victim?.kill("SIGKILL");
  await rm(place, { recursive: true });
});

/** Listeners outside of the box, which remember whatever comes. */
async function listen(): Promise<Pick<Aims, "port" | "udp" | "socket" | "abstract">> {
  const server = createServer((socket) => {
    arrived.push("TCP");
    socket.on("error", () => {});
    socket.on("data", (data) => arrived.push(String(data).slice(0, 80)));
    socket.end("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
  });
  await new Promise<void>((ready) => server.listen(0, "::", ready));
  const { port } = server.address() as AddressInfo;
  const udp = createSocket({ type: "udp6", ipv6Only: false }, () => arrived.push("UDP"));
  await new Promise<void>((ready) => udp.bind(0, "::", ready));
  const path = join(place, "socket");
  const local = createServer(() => void arrived.push("a socket by path"));
  await new Promise<void>((ready) => local.listen(path, ready));
  await chmod(path, 0o777);
  // Kinds of sockets that Node has not.
  const python = spawn("/usr/bin/python3", ["-c", OTHERS, path, key], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  await new Promise<void>((ready) => python.stdout.once("data", () => ready()));
  python.stdout.on("data", (data) => {
    arrived.push(...String(data).split("\n").filter((line) => line !== "" && line !== "ready"));
  });
  closing.push(() => server.close(), () => udp.close(), () => local.close(), () => python.kill());
  return { port, udp: udp.address().port, socket: path, abstract: key };
}

const OTHERS = `
import os, select, socket, sys
path, name = sys.argv[1:]
def bound(kind, address):
    it = socket.socket(socket.AF_UNIX, kind)
    it.bind(address)
    return it
sockets = [bound(socket.SOCK_DGRAM, path + ".dgram"), bound(socket.SOCK_DGRAM, "\\0" + name + ".dgram"), bound(socket.SOCK_STREAM, "\\0" + name)]
os.chmod(path + ".dgram", 0o777)
sockets[2].listen()
print("ready", flush=True)
while True:
    for it in select.select(sockets, [], [])[0]:
        it.accept() if it is sockets[2] else it.recv(100)
        print("a socket without a path" if it is not sockets[0] else "a datagram by path", flush=True)
`;

/** What a user needs to run the box: a clone that everybody reads, if this one is in a closed home. */
async function cloneFor(user: "root" | "user"): Promise<{ root: string; deno: string }> {
  if (user === "root" || !isRoot) return { root: ROOT, deno: Deno.execPath() };
  const root = join(place, "clone");
  await mkdir(root);
  for (const name of ["src", "mod.ts", "deno.json", "package.json", "node_modules"]) {
    await run("cp", ["-al", join(ROOT, name), root])
      .catch(() => run("cp", ["-a", join(ROOT, name), root]));
  }
  await cp(join(ROOT, "test/study/run"), join(root, "test/study/run"), { recursive: true });
  const deno = join(place, "deno");
  await cp(Deno.execPath(), deno);
  return { root, deno };
}

async function own(user: "root" | "user", path: string): Promise<void> {
  if (!isRoot || user === "root") return;
  for (const name of await readdir(path, { recursive: true })) {
    await chown(join(path, name), NOBODY, NOBODY);
  }
  await chown(path, NOBODY, NOBODY);
}

interface Tried {
  readonly chosen: string;
  readonly said: readonly string[];
  readonly native: Readonly<Record<string, string>>;
  readonly text: string;
}

async function tryAll(user: "root" | "user", tier: string): Promise<{ tried: Tried; aims: Aims }> {
  const secrets = ["private", "project/.env", "cache/gen/other/secret"].map((path) =>
    join(home, path)
  );
  const { root, deno } = await cloneFor(user);
  const beside = join(root, `.env-${crypto.randomUUID()}`);
  closing.push(() => rm(beside, { force: true }));
  for (const path of [...secrets, beside]) await writeFile(path, `the ${key}`);
  const target = join(home, "target");
  await writeFile(target, "as it was");
  await own(user, home);
  const asUser = user === "user" ? AS_USER : [];
  const [sleep = "", ...seconds] = [...asUser, "/bin/sleep", "300"];
  victim = spawn(sleep, seconds, { detached: true, stdio: "ignore" });
  const aims = {
    ...await listen(),
    ...{ secrets: [...secrets, beside], target, home, study, key, deno },
    victim: victim.pid!,
    runner: 0,
  };
  await writeFile(join(study, "aims.json"), JSON.stringify(aims));
  await writeFile(
    join(study, "hostile.py"),
    await readFile(new URL("./_hostile.py", import.meta.url)),
  );
  await writeFile(join(study, "own.txt"), "of the study");
  await writeFile(join(study, "study.lock.json"), "{}");
  await writeFile(join(study, "a.ipynb"), '{"cells":[]}');
  await own(user, study);
  const env = {
    PATH: "/usr/local/bin:/usr/bin:/bin",
    ...{ HOME: home, DENO_DIR: join(home, "cache"), SCOREFRAME_API_KEY: key, TMPDIR: tmpdir() },
  };
  const args = [
    "run",
    "-A",
    "--quiet",
    "--no-lock",
    join(root, "test/study/run/_ways_process.ts"),
    study,
    tier,
  ];
  const prefix = !isRoot && user === "root"
    ? ["sudo", "-n", "env", ...Object.entries(env).map(([name, value]) => `${name}=${value}`)]
    : asUser;
  const [command = "", ...rest] = [...prefix, deno, ...args];
  const { stdout } = await run(command, rest, { env, cwd: home, maxBuffer: 1 << 26 });
  const { chosen, text } = JSON.parse(stdout);
  const { said, native } = JSON.parse(
    text.split("\n").find((line: string) => line.startsWith('{"said"')),
  );
  return { tried: { chosen, said, native, text }, aims };
}

async function settings(): Promise<readonly string[]> {
  return await Promise.all(
    SETTINGS.map((name) => readFile(`/proc/sys/${name}`, "utf8").catch(() => "")),
  );
}

/** What of the reader's changed. */
async function changed({ target, secrets }: Aims): Promise<readonly string[]> {
  const found = await readFile(target, "utf8").catch(() => "gone");
  const mode = await stat(target).then(
    (it) => `${it.mode & 0o777} ${it.mtimeMs > 1e12}`,
    () => "gone",
  );
  const names = (await readdir(home)).filter((name) => !name.startsWith(".")).toSorted();
  const inStudy = (await readdir(study)).toSorted();
  const alive = victim.exitCode === null && victim.signalCode === null;
  const limits = await readFile(`/proc/${victim.pid}/limits`, "utf8").catch(() => "");
  return [
    ...found === "as it was" ? [] : ["the content of a file"],
    ...mode === "420 true" ? [] : [`its mode or time: ${mode}`],
    ...names.join() === "cache,project,target" || names.join() === "cache,private,project,target"
      ? []
      : [`files of the home: ${names}`],
    ...inStudy.join() === "a.ipynb,aims.json,hostile.py,own.txt,study.lock.json"
      ? []
      : [`files of the study: ${inStudy}`],
    ...await readFile(join(study, "own.txt"), "utf8").catch(() => "gone") === "of the study"
      ? []
      : ["a file of the study"],
    ...alive ? [] : ["a process was ended"],
    ...!/open files +10 +10/.test(limits) ? [] : ["a limit of a process"],
    ...(await Promise.all(secrets.map((path) => readFile(path, "utf8")))).every((it) =>
        it === `the ${key}`
      )
      ? []
      : ["a secret"],
  ];
}

const hashOfSelf = async () =>
  createHash("sha256").update(await readFile(Deno.execPath())).digest("hex");

await describeWithJupyter("what a stranger's notebook tries", () => {
  test.each(TRIED)(
    "as %s in %s reaches no listener, no file, no process and no setting",
    async (user, tier) => {
      const [before, program] = [await settings(), await hashOfSelf()];
      const { tried, aims } = await tryAll(user, tier);
      expect(tried.chosen).toBe(tier);
      expect(tried.said.length + Object.keys(tried.native).length).toBeGreaterThanOrEqual(300);
      // A daemon would have had the time by now.
      await new Promise((end) => setTimeout(end, 1_500));
      expect(arrived).toEqual([]);
      expect(await changed(aims)).toEqual([]);
      expect(await settings()).toEqual(before);
      expect(await hashOfSelf()).toBe(program);
      expect(tried.said.filter((it) => it.includes(key))).toEqual([]);
      expect(Object.entries(tried.native).filter(([, how]) => how === "REACHED")).toEqual([]);
      const left = await run("ps", ["-eo", "args"]).then(({ stdout }) =>
        stdout.includes("hostile.py")
      );
      expect(left).toBe(false);
    },
    LONG_MS,
  );

  // Without a box most of them arrive: what is tried above is real. Not as root, who could do harm.
  test.runIf(process.platform === "linux")(
    "as a user without a box reaches most of it",
    async () => {
      const { tried, aims } = await tryAll("user", "trust");
      for (
        const what of [
          "TCP",
          "UDP",
          "a socket by path",
          "a datagram by path",
          "a socket without a path",
        ]
      ) {
        expect(arrived).toContain(what);
      }
      expect(await changed({ ...aims, secrets: [] })).not.toEqual([]);
      expect(tried.said.filter((it) => it.includes(key)).length).toBeGreaterThan(5);
      const reached = Object.values(tried.native).filter((how) => how === "REACHED").length;
      expect(reached).toBeGreaterThan(40);
      // What it left behind ends by itself.
      await run("sleep", ["11"]);
    },
    LONG_MS,
  );
});
