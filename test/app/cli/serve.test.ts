import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { main } from "../../../src/app/cli/main.ts";
import { makeFixtureStore } from "../../helpers/fixture_store.ts";

const MAIN = new URL("../../../src/app/cli/main.ts", import.meta.url).pathname;
const KEY = "svc_test_command_line_key";
let folder: string;
const running: ChildProcess[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "scoreframe-cli-"));
});
afterEach(() => {
  for (const child of running.splice(0)) child.kill("SIGKILL");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Running {
  readonly url: string;
  readonly key: string | undefined;
  /** What it printed until it was ready. */
  readonly printed: string;
  get(path: string, key?: string): Promise<Response>;
  stop(): Promise<
    { readonly code: number | null; readonly output: string; readonly errors: string }
  >;
}

function serve(...args: string[]): Promise<Running> {
  // Worlds of servers that are killed go away with the folder.
  const env = { ...process.env, TMPDIR: folder };
  const child = spawn(process.execPath, ["run", "-A", MAIN, "serve", ...args], { env });
  running.push(child);
  let output = "";
  let errors = "";
  child.stderr.on("data", (data) => errors += data);
  const ended = new Promise<number | null>((resolve) => child.on("exit", resolve));
  return new Promise((resolve, reject) => {
    void ended.then((code) => reject(new Error(`serve ended with ${code}: ${errors}`)));
    child.stdout.on("data", (data) => {
      output += data;
      const url = /^listening on (http:\/\/127\.0\.0\.1:\d+)$/m.exec(output)?.[1];
      if (url === undefined || !/^ {2}export .*\n/m.test(output)) return;
      const key = /^key (svc_test_\w+)$/m.exec(output)?.[1];
      resolve({
        url,
        key,
        printed: output,
        get: (path, own = key ?? KEY) =>
          fetch(url + path, { headers: { Authorization: `Bearer ${own}` } }),
        stop: async () => {
          // child.kill() would report the signal as the end, whatever the process made of it.
          process.kill(child.pid!, "SIGTERM");
          return { code: await ended, output, errors };
        },
      });
    });
  });
}

async function bash(command: string): Promise<string> {
  const env = { ...process.env, XDG_CACHE_HOME: folder, NO_COLOR: "1" };
  const { stdout } = await promisify(execFile)("bash", ["-c", command], { env });
  return stdout.trim();
}

async function file(name: string, content: unknown): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, JSON.stringify(content));
  return path;
}

describe("serve", () => {
  test("prints a curl that answers, and the variables with which a client connects", async () => {
    const server = await serve();
    const curl = /^ {2}(curl .*)$/m.exec(server.printed)?.[1] ?? "";
    expect(JSON.parse(await bash(curl)).factor).toBe("ecpnd");
    const variables = /^ {2}(export .*)$/m.exec(server.printed)?.[1] ?? "";
    expect(variables).toBe(`export SCOREFRAME_URL=${server.url} SCOREFRAME_API_KEY=${server.key}`);
    const cell = 'const { connect } = await import("scoreframe"); ' +
      'console.log((await (await connect()).scores("ecpnd")).height)';
    expect(await bash(`${variables}; ${process.execPath} eval '${cell}'`)).toBe("60");
    await server.stop();
  });

  test("serves a world up to the last full hour, with a key that it prints, and stops on SIGTERM", async () => {
    const server = await serve();
    const set = await (await server.get("/v1/scores")).json();
    const ageMs = Date.now() - Date.parse(set.last_checked_at);
    expect(set.synthetic).toBe(true);
    expect(set.scores).toHaveLength(60);
    expect(set.last_checked_at).toMatch(/T\d\d:00:00\.000Z$/);
    // An outage of the world may leave out the last hours.
    expect(ageMs).toBeLessThan(24 * 3_600_000);
    const { code, output } = await server.stop();
    expect(code).toBe(0);
    expect(output.match(/^listening on /gm)).toHaveLength(1);
  });

  test("removes the world of a server that was killed when the next one starts", async () => {
    const worlds = async () =>
      (await readdir(folder)).filter((name) => name.startsWith("scoreframe-serve-"));
    await serve();
    const [killed] = running.splice(0);
    const ended = new Promise((resolve) => killed?.on("exit", resolve));
    const [left] = await worlds();
    killed?.kill("SIGKILL");
    await ended;
    expect(await worlds()).toEqual([left]);
    const next = await serve();
    expect(await worlds()).toHaveLength(1);
    expect(await worlds()).not.toEqual([left]);
    await next.stop();
    expect(await worlds()).toEqual([]);
  });

  test("stands still at an instant, by which everything is judged", async () => {
    const accounts = await file("accounts.json", {
      accounts: [{
        id: "a",
        factors: ["ecpnd", { factor: "ecqdi", until: "2026-11-19T00:00:00Z" }],
        keys: [{ key: KEY }, { key: "svc_test_command_gone", revoked: true }],
        limits: { requests_per_minute: 3 },
      }],
    });
    const state = join(folder, "state");
    const args = ["--accounts", accounts, "--clock", "2026-11-18T15:30:10Z", "--state", state];
    const server = await serve(...args);
    expect(server.printed).not.toContain(KEY);
    expect(server.printed).toContain(`SCOREFRAME_URL=${server.url} SCOREFRAME_API_KEY="$KEY"\n`);
    const response = await server.get("/v1/scores");
    expect(response.headers.get("date")).toBe("Wed, 18 Nov 2026 15:30:10 GMT");
    expect((await response.json()).last_checked_at.slice(0, 13)).toBe("2026-11-18T15");
    expect((await server.get("/v1/scores?at=2026-11-18T15:30:11Z")).status).toBe(400);
    expect((await server.get("/v1/scores", "svc_test_command_gone")).status).toBe(401);
    expect((await server.get("/v1/scores?factor=ecqdi")).status).toBe(200);
    const refused = await server.get("/v1/scores");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "50"]);
    await server.stop();
    const restarted = await serve(...args);
    expect((await restarted.get("/v1/scores")).status).toBe(429);
    await restarted.stop();
    const later = await serve(...args.with(3, "2026-11-19T00:00:00Z"));
    expect((await later.get("/v1/scores?factor=ecqdi")).status).toBe(403);
  });

  test("plays faults and a timeline from a file, and writes a journal with a summary", async () => {
    const faults = await file("faults.json", {
      seed: 1,
      faults: [
        { kind: "status", endpoint: "scores", status: 503, retry_after_seconds: 9, count: 1 },
        { kind: "corrupt", endpoint: "history_file" },
      ],
      timeline: [{ kind: "no_first_set", until: "2026-11-30T00:00:00Z", factor: "ecqdi" }],
    });
    const journal = join(folder, "journal.ndjson");
    const server = await serve(
      ...["--faults", faults, "--journal", journal, "--clock", "2026-11-20T15:00:00Z"],
    );
    expect((await server.get("/v1/scores")).headers.get("retry-after")).toBe("9");
    expect((await server.get("/v1/scores")).status).toBe(200);
    const preparing = await server.get("/v1/scores?factor=ecqdi");
    expect((await preparing.json()).error).toBe("score_snapshot_preparing");
    const { output } = await server.stop();
    const entries = (await readFile(journal, "utf8")).trim().split("\n").map((line) =>
      JSON.parse(line)
    );
    expect(entries.map((entry) => entry.status)).toEqual([503, 200, 503]);
    expect(entries[1].complaints[0]).toContain("too early: Retry-After was 9 s");
    expect(output).toContain("3 requests\n");
    expect(output).toContain("1 complaint\n");
    expect(JSON.stringify(entries)).not.toContain(server.key);
  });

  test("refuses a port that another process has", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as AddressInfo;
    const message =
      `Cannot listen on 127.0.0.1:${port}: expected a free port, got one in use by another process`;
    await expect(serve("--port", String(port))).rejects.toThrow(message);
    await new Promise((resolve) => other.close(resolve));
  });

  test("warns of what its store cannot play of a timeline", async () => {
    const unknown = "0".repeat(64);
    const faults = await file("unplayable.json", {
      timeline: [
        { kind: "correction", at: "2026-11-20T14:30:00Z", factor: "ecpnd", scores: {} },
        { kind: "correction", at: "2026-11-20T15:30:00Z", factor: "ecpnd", scores: {} },
        {
          kind: "release_replaced",
          at: "2026-11-20T16:00:00Z",
          factor: "ecqdi",
          download_sha256: unknown,
        },
      ],
    });
    const server = await serve("--faults", faults, "--clock", "2026-11-20T15:00:00Z");
    const { errors } = await server.stop();
    expect(errors.match(/correction/g)).toHaveLength(1);
    expect(errors).toContain(
      "the correction of ecpnd at 2026-11-20T14:30:00Z waits for the first check after " +
        "2026-11-20T15:00:00.000Z, the last that the store has\n",
    );
    expect(errors).toContain(
      "from 2026-11-20T16:00:00Z on the release of ecqdi is not available: " +
        `the store has none with the checksum ${unknown}\n`,
    );
  });

  test("says of a recording how it is served as it was, and that its numbers are synthetic", async () => {
    const recording = await makeFixtureStore({ partial: true });
    const later = await serve("--store", recording.path, "--clock", "2026-11-20T18:00:00Z");
    const { errors } = await later.stop();
    expect(errors).toContain("the numbers are synthetic\n");
    expect(errors).toContain("; --clock 2026-11-20T15:00:00.000Z serves it as it was\n");
    expect(errors).toContain("; --clock-rate 1 lets it run\n");
    const then = await serve(
      ...["--store", recording.path, "--clock", "2026-11-20T15:00:00Z", "--clock-rate", "1"],
    );
    expect((await then.stop()).errors).toBe("the numbers are synthetic\n");
    await recording.remove();
  });

  test("prints its options", async () => {
    const lines: string[] = [];
    const terminal = { out: (line: string) => lines.push(line), error: () => {} };
    expect(await main(["serve", "--help"], terminal)).toBe(0);
    const options = ["store", "world", "port", "accounts", "state", "clock", "clock-rate"];
    for (const option of [...options, "faults", "journal", "help"]) {
      expect(lines.join()).toContain(`--${option}`);
    }
  });

  test("takes a key, and keeps the one that it makes in its state folder", async () => {
    const state = join(folder, "kept");
    const keys = [];
    for (const args of [["--state", state], ["--state", state], ["--key", "svc_test_desk_0001"]]) {
      const server = await serve("--clock", "2026-11-20T15:00:00Z", ...args);
      keys.push(server.key);
      expect((await server.get("/v1/factors")).status).toBe(200);
      await server.stop();
    }
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).toBe("svc_test_desk_0001");
  });

  test.each([
    [["--port", "x"], 2, 'Cannot use --port: expected a whole number from 0 to 65535, got "x"'],
    [["--port", "70000"], 2, "expected a whole number from 0 to 65535, got"],
    [["--world", "huge"], 2, 'Cannot use --world: expected small or full, got "huge"'],
    [["--clock", "yesterday"], 2, '"now" or an RFC 3339 date-time'],
    [["--clock-rate", "-1"], 2, "--clock-rate"],
    [["--key", "svc_test_a", "--accounts", "x"], 2, "no --accounts beside it"],
    [["--store", "x", "--world", "small"], 2, "no --world beside it"],
    [["--nonsense"], 2, "--nonsense"],
    [["--store", "/nowhere/at/all"], 1, "Cannot open the store"],
    [["--accounts", "/nowhere.json"], 1, "Cannot read --accounts /nowhere.json: expected access"],
    [["--faults", "/nowhere.json"], 1, "Cannot read --faults /nowhere.json: expected access"],
    [
      ["--journal", "/nowhere/at/all"],
      1,
      "Cannot write --journal /nowhere/at/all: expected access",
    ],
    [
      ["--state", MAIN],
      1,
      `Cannot use the state "${MAIN}": expected access to the file system, got \"EEXIST`,
    ],
  ])("refuses %j with exit code %i", async (args, code, message) => {
    const errors: string[] = [];
    const lines: string[] = [];
    const terminal = {
      out: (line: string) => lines.push(line),
      error: (line: string) => errors.push(line),
    };
    expect(await main(["serve", ...args], terminal)).toBe(code);
    expect(lines).toEqual([]);
    expect(errors.join("\n")).toContain(message);
  });
});
