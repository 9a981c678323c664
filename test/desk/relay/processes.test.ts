import { execFile, spawn, spawnSync } from "node:child_process";
import { mkdtemp, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { lacksProgram } from "../../helpers/lacks_program.ts";
import { ROOT } from "../../helpers/source_files.ts";
import { createScoreServer, type ScoreServer } from "../../../src/server/mod.ts";
import { type FixtureStore, makeFixtureStore } from "../../helpers/fixture_store.ts";
import { blockOf, PROXY_NAMES, startProxy } from "./_proxy.ts";
import { ACCOUNT_KEY, useRelays } from "./_relay.ts";

const run = promisify(execFile);
const MAIN = join(ROOT, "src/app/cli/main.ts");

let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), "scoreframe-relay-run-"))));
afterEach(() => rm(folder, { recursive: true, force: true }));

test.skipIf(lacksProgram("systemd-analyze", "the unit of docs/relay.md"))(
  "the unit of the guide is accepted by systemd",
  async () => {
    const path = join(folder, "scoreframe-relay.service");
    // The environment file and the program are on the desk's own machine.
    const unit = (await blockOf("ini")).replace("/opt/scoreframe/scoreframe", "/usr/bin/env");
    await writeFile(path, unit.replace(/^EnvironmentFile=.*\n/m, ""));
    const { stderr } = await run("systemd-analyze", ["verify", "--man=no", path]);
    expect(stderr.split("\n").filter((line) => line.includes("scoreframe-relay"))).toEqual([]);
    const judged = ["security", "--offline=true", "--no-pager", "--threshold=40", path];
    expect((await run("systemd-analyze", judged)).stdout).toContain("OK");
    const broken = join(folder, "broken.service");
    await writeFile(broken, unit.replace("RestartSec=5", "RestartSec=never"));
    expect(spawnSync("systemd-analyze", ["verify", "--man=no", broken]).stderr.toString())
      .toContain("Failed to parse sec value");
  },
);

const HADOLINT = join(ROOT, ".scoreframe/venv/bin/hadolint");

test.skipIf(lacksProgram(HADOLINT, "the container file of docs/relay.md"))(
  "hadolint finds nothing in the container file of the guide, and its options are those of the command",
  async () => {
    const path = join(folder, "Dockerfile");
    await writeFile(path, await blockOf("dockerfile"));
    expect((await run(HADOLINT, ["--no-color", path])).stdout).toBe("");
    const lines = (await blockOf("dockerfile")).trim().split("\n").map((line) =>
      line.split(/ (.*)/s)
    );
    const [entry, command] = ["ENTRYPOINT", "CMD"].map((wanted) =>
      JSON.parse(lines.find(([name]) => name === wanted)![1]!) as string[]
    );
    expect(entry!.at(-1)).toBe("relay");
    const help = spawnSync(Deno.execPath(), ["run", "-A", MAIN, "relay", "--help"]).stdout;
    for (const option of command!.filter((word) => word.startsWith("--"))) {
      expect(help.toString()).toContain(option);
    }
    await writeFile(path, (await blockOf("dockerfile")).replace("USER 1993", "USER root"));
    expect(spawnSync(HADOLINT, ["--no-color", path]).stdout.toString())
      .toContain("Last USER should not be root");
  },
);

describe.each(PROXY_NAMES)("behind %s", (name) => {
  const { start } = useRelays();

  test.skipIf(lacksProgram(name, "the relay behind a proxy"))(
    "the relay answers over TLS as it does alone, and keeps its page closed",
    async () => {
      const { relay, add } = await start();
      const listener = await relay.listen();
      const [ann, admin] = [await add("ann"), await add("root", { admin: true })];
      const proxy = await startProxy(name, folder, listener.url);
      const client = Deno.createHttpClient({
        caCerts: [await readFile(proxy.certificate, "utf8")],
      });
      const ask = (target: string, key: string, more: Record<string, string> = {}) => {
        const headers = { Authorization: `Bearer ${key}`, ...more };
        return fetch(`${proxy.url}${target}`, { headers, client } as RequestInit);
      };
      try {
        const proxied = await ask("/v1/scores", ann);
        const alone = await relay.fetch(
          new Request("http://x/v1/scores", { headers: { Authorization: `Bearer ${ann}` } }),
        );
        expect(await proxied.json()).toEqual(await alone.json());
        for (const header of ["etag", "x-factor-snapshot", "cache-control", "vary", "date"]) {
          expect([header, proxied.headers.get(header)])
            .toEqual([header, alone.headers.get(header)]);
        }
        // Caddy puts its own name before it.
        expect(proxied.headers.get("server")).toContain(alone.headers.get("server"));
        const etag = proxied.headers.get("etag")!;
        expect((await ask("/v1/scores", ann, { "If-None-Match": etag })).status).toBe(304);
        const file = await ask("/v1/scores/history.csv.gz", ann);
        expect(String((await file.arrayBuffer()).byteLength)).toBe(
          file.headers.get("content-length"),
        );
        expect((await ask("/v1/scores", "relay_test_unknown")).status).toBe(401);
        // The proxy is on this machine, and its clients are not.
        expect((await ask("/relay", ann)).status).toBe(401);
        expect((await fetch(`${proxy.url}/relay.json`, { client } as RequestInit)).status).toBe(
          401,
        );
        expect((await ask("/relay", admin)).status).toBe(200);
      } finally {
        client.close();
        await proxy.close();
      }
    },
  );
});

describe("the command relay", () => {
  let fixture: FixtureStore;
  let service: ScoreServer;
  let url: string;
  beforeEach(async () => {
    fixture = await makeFixtureStore();
    const keys = [{ key: ACCOUNT_KEY }];
    service = createScoreServer({
      store: fixture.store,
      accounts: [{ id: "desk", factors: ["ecpnd", "ecqdi"], keys }],
    });
    service.clock.set("2026-11-20T15:00:00Z", { rate: 1 });
    url = (await service.listen()).url;
  });
  afterEach(async () => {
    await service.close();
    await fixture.remove();
  });

  const environment = () => ({
    ...process.env,
    SCOREFRAME_API_KEY: ACCOUNT_KEY,
    SCOREFRAME_URL: url,
    SCOREFRAME_RELAY_STATE: join(folder, "state"),
    XDG_CACHE_HOME: join(folder, "cache"),
  });
  const relayCommand = (...args: string[]) =>
    run(Deno.execPath(), ["run", "-A", MAIN, "relay", ...args], { env: environment() })
      .catch((error: { stdout: string; stderr: string; code: number }) => error);

  const spawnRelay = (...args: string[]) =>
    spawn(
      Deno.execPath(),
      ["run", "-A", MAIN, "relay", "--store", join(folder, "store"), ...args],
      { env: environment(), stdio: ["ignore", "pipe", "pipe"] },
    );

  test("serves, adds and revokes users while it runs, tells its gaps, and stops in order", async () => {
    const store = join(folder, "store");
    const journal = join(folder, "journal");
    const relay = spawnRelay("--listen", "127.0.0.1:0", "--journal", journal);
    const ended = new Promise<number | null>((resolve) => relay.once("exit", resolve));
    let said = "";
    const listening = new Promise<string>((resolve) =>
      relay.stdout.on("data", (part) => {
        said += String(part);
        const found = /listening on (\S+)/.exec(said);
        if (found !== null) resolve(found[1]!);
      })
    );
    const address = await listening;
    const key = (await relayCommand("user", "add", "ann", "--requests", "20")).stdout.trim();
    expect(key).toMatch(/^relay_test_[0-9a-f]{48}$/);
    const ask = (path: string) =>
      fetch(`${address}${path}`, { headers: { Authorization: `Bearer ${key}` } });
    expect((await ask("/v1/scores?at=2026-11-20T10:00:00Z")).status).toBe(200);
    expect((await ask("/v1/scores?at=2026-11-20T12:30:00Z")).status).toBe(200);
    const second = await relayCommand(
      "--store",
      store,
      "--state",
      join(folder, "other"),
      "--listen",
      "0",
    );
    expect(second.stderr).toContain("expected no other relay for this account");
    const gaps = await relayCommand("gaps", "--store", store);
    expect(gaps.stdout).toContain("ecpnd  hour to 2026-11-20T11:59:59.999Z");
    expect(gaps.stdout).toMatch(/filling takes [\d,]+ requests; 9,\d{3} of the account's 10,000/);
    expect((await relayCommand("user", "list")).stdout).toMatch(
      /^ann {2}since .* 20 requests a day\n$/,
    );
    expect((await relayCommand("user", "revoke", "ann")).stdout).toMatch(/^ann's key [^\n]+\n$/);
    expect((await ask("/v1/factors")).status).toBe(401);
    expect(said).toContain("\nlicensed: ecpnd and ecqdi\n");
    // Names of colleagues and what they asked are for nobody else on the machine.
    expect((await stat(join(folder, "state"))).mode & 0o777).toBe(0o700);
    // As logrotate does it.
    await rename(journal, `${journal}.1`);
    process.kill(relay.pid!, "SIGHUP");
    await expect.poll(() => stat(journal).then(() => true, () => false)).toBe(true);
    expect((await ask("/v1/factors")).status).toBe(401);
    process.kill(relay.pid!, "SIGTERM");
    expect(await ended).toBe(0);
    const linesOf = async (path: string) =>
      (await readFile(path, "utf8")).trim().split("\n").length;
    expect([await linesOf(`${journal}.1`), await linesOf(journal)]).toEqual([3, 1]);
    const [, cost] = /filling takes ([\d,]+) requests/.exec(gaps.stdout)!;
    const filled = await relayCommand("gaps", "--store", store, "--fill");
    expect(filled.stdout).toMatch(new RegExp(`\n${cost} filled\n$`));
    expect((await relayCommand("gaps", "--store", store)).stdout).toBe("no gaps\n");
    for (const text of [said, await readFile(journal, "utf8"), gaps.stdout]) {
      expect(text).not.toMatch(/(svc|relay)_test_[0-9a-z]/);
    }
  });

  test("warns when it listens beyond this machine", async () => {
    const relay = spawnRelay("--listen", "0.0.0.0:0");
    const ended = new Promise((resolve) => relay.once("exit", resolve));
    let said = "";
    relay.stderr.on("data", (part) => said += String(part));
    await expect.poll(() => said).toContain("listening on 0.0.0.0, ");
    process.kill(relay.pid!, "SIGTERM");
    expect(await ended).toBe(0);
  });

  test("says in one line what is wrong with the command line or the environment", async () => {
    const none = await relayCommand();
    expect([(none as { code?: number }).code, none.stderr])
      .toEqual([
        2,
        "Cannot start the relay: expected --store DIR, got none; add a folder for the relay's store\n",
      ]);
    const age = await relayCommand("--store", folder, "--latest-age", "soon");
    expect(age.stderr).toMatch(/^Cannot use --latest-age: [^\n]* "soon"\n$/);
    const name = await relayCommand("user", "add", "a b");
    expect(name.stderr).toMatch(/^Cannot add .* "a b": [^\n]+\n$/);
    const nobody = await relayCommand("user", "revoke", "zoe");
    expect([(nobody as { code?: number }).code, nobody.stderr]).toEqual([
      2,
      'Cannot revoke the key of "zoe": expected a user with a valid key, got none of that name; users with one: none\n',
    ]);
  });
});
