import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { runDoctor } from "../../../src/app/cli/doctor/doctor.ts";
import { examineJupyter, examineRuntime } from "../../../src/app/cli/doctor/examine_machine.ts";
import { examineService } from "../../../src/app/cli/doctor/examine_service.ts";
import { examineStorage } from "../../../src/app/cli/doctor/examine_storage.ts";
import type { Machine } from "../../../src/app/cli/doctor/machine.ts";
import { Relay } from "../../../src/desk/relay/relay.ts";
import { createScoreServer, type ScoreServer } from "../../../src/server/mod.ts";
import { Store } from "../../../src/base/store/store.ts";
import { type FixtureStore, makeFixtureStore } from "../../helpers/fixture_store.ts";

const KEY = "svc_test_the_doctor_never_shows_it";
const NOW = Date.UTC(2026, 10, 20, 15);

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "scoreframe-doctor-test-"));
});
afterEach(() => rm(home, { recursive: true }));

function machineWith(change: Partial<Machine> = {}): Machine {
  return {
    denoVersion: "2.9.6",
    now: () => NOW,
    hasPermission: () => Promise.resolve(true),
    run: () => Promise.resolve(null),
    ...change,
    environment: {
      HOME: home,
      JUPYTER_DATA_DIR: join(home, "jupyter"),
      XDG_CACHE_HOME: join(home, "cache"),
      ...change.environment,
    },
  };
}

describe("doctor", () => {
  test("goes through everything, ends with a sum, and leaves nothing behind", async () => {
    const lines: string[] = [];
    const terminal = { out: (line: string) => void lines.push(line), error: () => {} };
    const machine = machineWith({
      environment: { SCOREFRAME_API_KEY: KEY, SCOREFRAME_URL: "https://scores.example" },
    });
    expect(await runDoctor(["--offline"], terminal, machine)).toBe(0);
    const text = lines.join("\n");
    const subjects = ["runtime", "permissions", "frames", "key", "address", "cache", "store"];
    for (const subject of [...subjects, "disk", "charts", "kernel", "Jupyter"]) {
      expect(text).toMatch(new RegExp(`^(ok {5}|limited|broken )  ${subject}: `, "m"));
    }
    expect(text).toMatch(/\n0 broken, 2 limited, 13 checked$/);
    expect(text).not.toContain("never_shows");
    expect(await readdir(home)).toEqual([]);
  });

  test("exits with 1 if something is broken", async () => {
    const terminal = { out: () => {}, error: () => {} };
    const machine = machineWith({ environment: { SCOREFRAME_API_KEY: "secret with blanks" } });
    expect(await runDoctor(["--offline"], terminal, machine)).toBe(1);
  });
});

describe("the runtime", () => {
  test("is broken when it is too old, or not Deno", async () => {
    expect((await examineRuntime(machineWith({ denoVersion: "2.10.0" })))[0]?.state).toBe("good");
    expect((await examineRuntime(machineWith({ denoVersion: "2.4.1" })))[0]).toEqual({
      subject: "runtime",
      state: "broken",
      found: "Deno 2.4.1",
      remedy: "expected Deno 2.9.0 or later; run deno upgrade",
    });
    const [runtime, ...others] = await examineRuntime(machineWith({ denoVersion: null }));
    expect([runtime?.state, others]).toEqual(["broken", []]);
  });

  test("names the permissions that it does not give", async () => {
    const hasPermission = (name: string) => Promise.resolve(name !== "ffi" && name !== "sys");
    const [, permissions] = await examineRuntime(machineWith({ hasPermission }));
    expect(permissions).toMatchObject({ state: "broken", found: "sys, ffi not given" });
  });
});

describe("the service", () => {
  let fixture: FixtureStore;
  let server: ScoreServer;
  beforeAll(async () => {
    fixture = await makeFixtureStore();
    server = createScoreServer({
      store: fixture.store,
      accounts: [{ id: "desk", factors: ["ecpnd"], keys: [{ key: KEY }] }],
    });
    server.clock.set("2026-11-20T15:00:00Z");
  });
  afterAll(async () => {
    await server.close();
    await fixture.remove();
  });

  const examine = (environment: Record<string, string>, now = NOW, ask = true) =>
    examineService(machineWith({ environment, now: () => now }), { ask, fetch: server.fetch });
  const url = "http://scores.test";

  test("is asked once, and says what is licensed and whether the clocks agree", async () => {
    const before = server.journal.total;
    const environment = { SCOREFRAME_API_KEY: KEY, SCOREFRAME_URL: url };
    const found = await examine(environment);
    expect(found.map(({ subject, state, found }) => [subject, state, found])).toEqual([
      ["key", "good", "set, for the sandbox environment (not shown)"],
      ["address", "good", url],
      ["proxy", "good", "none"],
      ["authorities", "good", "those of Mozilla, which Deno contains"],
      ["service", "good", "answers and licenses ecpnd"],
      ["clock", "good", "0 s ahead of the service"],
    ]);
    expect(server.journal.total - before).toBe(1);
    const late = await examine(environment, NOW - 180_000);
    expect(late.at(-1)).toMatchObject({ state: "limited", found: "180 s behind the service" });
  });

  test("is recognised behind a relay, by the key and by the answer", async () => {
    const relay = await Relay.open({
      ...{ apiKey: KEY, baseUrl: url, fetch: server.fetch, environment: {}, now: () => NOW },
      store: join(home, "relay-store"),
      state: join(home, "relay-state"),
      cacheDir: join(home, "relay-cache"),
    });
    const user = { name: "ann", requests: null, downloads: null, admin: false };
    const key = await relay.users.add(user, {
      environment: "sandbox",
      now: "2026-11-20T15:00:00.000Z",
    });
    const environment = { SCOREFRAME_API_KEY: key, SCOREFRAME_URL: url };
    const found = await examineService(machineWith({ environment }), {
      ask: true,
      fetch: relay.fetch,
    });
    await relay.close();
    const services = found.filter(({ subject }) => ["key", "address", "service"].includes(subject));
    expect(services.map(({ subject, found }) => [subject, found])).toEqual([
      ["key", "set, for the sandbox environment, issued by a relay (not shown)"],
      ["address", url],
      [
        "service",
        "answers through a relay, whose users share one account (its page: /relay), and licenses ecpnd",
      ],
    ]);
  });

  test("is not asked offline, and not without key and address", async () => {
    const before = server.journal.total;
    await examine({ SCOREFRAME_API_KEY: KEY, SCOREFRAME_URL: url }, NOW, false);
    expect(await examine({})).toMatchObject([
      { subject: "key", state: "limited", found: "SCOREFRAME_API_KEY is not set" },
      { subject: "address", state: "limited", found: "SCOREFRAME_URL is not set" },
      { subject: "proxy", state: "good" },
      { subject: "authorities", state: "good" },
    ]);
    expect(server.journal.total).toBe(before);
  });

  test("is not asked where SCOREFRAME_OFFLINE forbids it, which is no fault", async () => {
    const before = server.journal.total;
    const given = { SCOREFRAME_API_KEY: KEY, SCOREFRAME_URL: url };
    expect((await examine({ ...given, SCOREFRAME_OFFLINE: "true" })).at(-1)).toEqual({
      subject: "service",
      state: "limited",
      found: "not checked: SCOREFRAME_OFFLINE=true keeps every connection offline",
      remedy: "to check it, unset SCOREFRAME_OFFLINE",
    });
    expect((await examine({ ...given, SCOREFRAME_OFFLINE: "maybe" })).at(-1)).toMatchObject({
      state: "broken",
      found: expect.stringContaining('got "maybe"'),
    });
    expect(server.journal.total).toBe(before);
  });

  test("is shown with the proxy and the authorities of the environment, without a password", async () => {
    const path = join(home, "desk.pem");
    const environment = {
      ...{
        SCOREFRAME_URL: "https://scores.example",
        HTTPS_PROXY: "http://ann:pw@proxy.example:3128",
      },
      ...{ DENO_CERT: path, DENO_TLS_CA_STORE: "system" },
    };
    const of = async (given: Record<string, string>) =>
      (await examine({ ...environment, ...given })).slice(2).map((
        { state, found },
      ) => [state, found]);
    expect(await of({})).toEqual([
      ["good", "http://proxy.example:3128 (HTTPS_PROXY)"],
      ["broken", `DENO_CERT ${path} cannot be read`],
    ]);
    await writeFile(path, "-----BEGIN CERTIFICATE-----\n");
    expect(await of({ NO_PROXY: ".example" })).toEqual([
      ["good", "none for this address (HTTPS_PROXY and NO_PROXY)"],
      ["good", `DENO_TLS_CA_STORE=system, and those of DENO_CERT ${path}`],
    ]);
    expect((await of({ HTTPS_PROXY: "socks5://ann:pw@p:1" }))[0]).toEqual([
      "broken",
      expect.not.stringContaining("pw"),
    ]);
  });

  test("that refuses the key is broken, and shows nothing of the key", async () => {
    const environment = { SCOREFRAME_API_KEY: `${KEY}_wrong_tail`, SCOREFRAME_URL: url };
    const found = (await examine(environment)).at(-1);
    expect(found).toMatchObject({
      subject: "service",
      state: "broken",
      remedy: "ask the owner of the account for the current key",
    });
    expect(JSON.stringify(found)).not.toContain("never_shows");
  });

  test("is not asked with a key that is none, of which only the length is shown", async () => {
    const environment = { SCOREFRAME_API_KEY: "hunter2 hunter2", SCOREFRAME_URL: url };
    const [key] = await examine(environment);
    expect(key).toMatchObject({
      state: "broken",
      found: "SCOREFRAME_API_KEY has 15 characters and is not a key",
    });
  });
});

describe("the storage", () => {
  test("counts what the stores hold, and names one that cannot be used", async () => {
    const stores = join(home, "cache", "scoreframe", "stores");
    await Store.create(join(stores, "a"), {
      format: 1,
      kind: "recording",
      description: "",
      synthetic: false,
      complete: null,
      origin: {},
    });
    await mkdir(join(stores, "b"));
    const found = await examineStorage(machineWith());
    expect(found.map(({ subject, state }) => [subject, state])).toEqual([
      ["cache", "good"],
      ["store", "good"],
      ["store", "broken"],
      ["disk", expect.any(String)],
    ]);
    expect(found[1]?.found).toContain("has 0 sets and 0 releases");
    expect(found[2]?.found).toContain("store.json");
    expect(await readdir(join(home, "cache", "scoreframe"))).toEqual(["stores"]);
  });

  test("is broken if a file is in its way, with what the system says", async () => {
    await writeFile(join(home, "cache"), "");
    const [cache] = await examineStorage(machineWith());
    expect(cache).toMatchObject({ subject: "cache", state: "broken" });
    expect(cache?.remedy).toContain("XDG_CACHE_HOME");
  });
});

describe("Jupyter", () => {
  async function install(name: string, argv: readonly string[]): Promise<void> {
    const folder = join(home, "jupyter", "kernels", name);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "kernel.json"), JSON.stringify({ argv }));
  }

  test("serves with a kernel of Deno and a front end", async () => {
    await install("python3", ["python3", "-m", "ipykernel"]);
    await install("deno", [Deno.execPath(), "jupyter", "--kernel", "--conn", "x"]);
    const run = (_command: string, [subcommand]: readonly string[]) =>
      Promise.resolve(subcommand === "notebook" ? "6.4.12" : null);
    expect(await examineJupyter(machineWith({ run }))).toMatchObject([
      { state: "good", found: `"deno" with ${Deno.execPath()}` },
      { state: "good", found: "jupyter notebook 6.4.12" },
    ]);
  });

  test("is limited by a kernel whose Deno has moved, and says how it is installed again", async () => {
    await install("deno", [join(home, "gone", "deno"), "jupyter", "--kernel"]);
    const [kernel, frontend] = await examineJupyter(machineWith());
    expect(kernel).toMatchObject({
      state: "limited",
      found: expect.stringMatching(/gone\/deno, which no longer exists$/),
      remedy: "to install it again: deno task scoreframe lab --no-open",
    });
    expect(frontend?.remedy).toContain("pipx install jupyterlab");
  });
});
