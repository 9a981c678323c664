import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

const ROOT = join(import.meta.dirname!, "../../..");
const PROGRAM = join(import.meta.dirname!, "_connecting_process.ts");

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "scoreframe-permissions-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

// Not node:child_process, which would hand on the permissions of this process.
async function run(permissions: readonly string[], baseUrl: string) {
  const args = ["run", "--no-prompt", ...permissions, PROGRAM, baseUrl, folder];
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), { args }).output();
  const [out, error] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  return { out: out === "" ? null : JSON.parse(out!), error: error! };
}

const ALL = ["ffi", "read", "write", "env", "sys", "net"];
const without = (...names: string[]) =>
  ALL.filter((name) => !names.includes(name)).map((name) => `--allow-${name}`);
const ADVICE = "add it to the flags of deno run, or use -A";

test("a host that is not allowed is no network error: one line, no retry, nothing spent", async () => {
  const { out } = await run([...without("net"), "--allow-net=example.org"], "http://127.0.0.1:9");
  expect(out).toEqual({
    said:
      "ScoreframeError: Cannot load the list of factors: expected the permission --allow-net for " +
      `"127.0.0.1:9", got none; ${ADVICE} | 10000`,
    waits: 0,
  });
});

test("a network that refuses is still tried again", async () => {
  const { out } = await run(["-A"], "http://127.0.0.1:9");
  expect(out.said).toMatch(/^TransportError: .*ECONNREFUSED/);
  expect(out.waits).toBeGreaterThan(0);
});

test.each([
  [
    "write",
    ["--allow-write=/nowhere"],
    /^StorageError: Cannot make the store ".*": expected the permission --allow-write for ".*", got none; /,
  ],
  [
    "read",
    ["--allow-read=."],
    /^StorageError: Cannot make the store ".*": expected the permission --allow-read for ".*store\.json", got none; /,
  ],
  [
    "env",
    [],
    /^ScoreframeError: Cannot load the list of factors: expected the permission --allow-env for "\w+", got none; .* \| 10000$/,
  ],
])("without the permission %s a connection says so in one line", async (name, partly, words) => {
  const { out } = await run([...without(name), ...partly], "http://127.0.0.1:9");
  expect(out.said).toMatch(words);
  expect(out.said).toContain(ADVICE);
  expect(out.waits).toBe(0);
});

describe("the least permissions of docs/install.md", () => {
  const places = (...more: string[]) => `--allow-read=${[ROOT, ...more].join(",")}`;
  const polars = [`--allow-ffi=${join(ROOT, "node_modules")}`, "--allow-sys", "--allow-env"];
  const start = async (permissions: readonly string[], text: string) => {
    const program = join(folder, "program.ts");
    await writeFile(program, text);
    const args = ["run", "--no-prompt", `--config=${join(ROOT, "deno.json")}`, ...permissions];
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [...args, program],
      env: { TMPDIR: folder, NO_COLOR: "1" },
    }).output();
    const [out, error] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
    return { out, error: error!.replace(/^.*ScoreframeNotice.*\n/gm, "") };
  };
  const SERVE = `
    import { createScoreServer } from "scoreframe/server";
    import { buildWorld } from "scoreframe/world";
    const world = await buildWorld("${"FOLDER"}/world", { tickers: 5, years: 0.1, hours: 24 });
    const keys = [{ key: "svc_test_permissions0123" }];
    const server = createScoreServer({ store: world.store, accounts: [{ id: "a", factors: ["ecpnd"], keys }] });
    const { url } = await server.listen();
    console.log((await fetch(url + "/openapi.json")).status);
    await server.close();`;

  test("are enough for a server, which loads no native code", async () => {
    const serve = SERVE.replace("FOLDER", folder);
    const asked = [places(folder), `--allow-write=${folder}`, "--allow-env"];
    expect(await start([...asked, "--allow-net=127.0.0.1"], serve))
      .toEqual({ out: "200\n", error: "" });
    expect((await start(asked, serve)).error)
      .toContain("Cannot listen on 127.0.0.1:0: expected the permission --allow-net");
  });

  test("are enough for a demo without the network", async () => {
    const program = `
      import { demo } from "scoreframe";
      const api = await demo({ tickers: 5, years: 0.1, hours: 24 });
      console.log((await api.scores("ecpnd")).height);
      await api.close();`;
    const asked = [...polars, places(folder), `--allow-write=${folder}`];
    expect(await start(asked, program)).toEqual({ out: "5\n", error: "" });
    const missing = await start(asked.filter((flag) => flag !== "--allow-env"), program);
    expect(missing.error).toContain("expected the permission --allow-env for");
  });

  test("are enough for a client, with the address of the service alone", async () => {
    const { out } = await run(
      [...[...polars, places(folder), `--allow-write=${folder}`], "--allow-net=127.0.0.1:9"],
      "http://127.0.0.1:9",
    );
    expect(out.said).toMatch(/^TransportError: .*ECONNREFUSED/);
  });
});

test("without the permission sys the library says so in one line instead of loading", async () => {
  const { out, error } = await run(without("sys"), "http://127.0.0.1:9");
  expect(out).toBeNull();
  expect(error).toContain(
    "Cannot load scoreframe: expected --allow-sys for the native part of nodejs-polars, got none; " +
      ADVICE,
  );
});
