import { readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { main } from "../../../src/app/cli/main.ts";
import { connect } from "../../../src/client/connect.ts";
import { type FixtureStore, makeFixtureStore } from "../../helpers/fixture_store.ts";

let fixture: FixtureStore;
beforeEach(async () => {
  fixture = await makeFixtureStore();
});
afterEach(() => fixture.remove());

async function verify(...args: string[]) {
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  const code = await main(["verify", ...args], { out: write, error: write });
  return { code, text: lines.join("\n") };
}

test("verify says of a sound store what it holds", async () => {
  expect(await verify(fixture.path)).toEqual({
    code: 0,
    text: "4 sets, 12 checks, 0 views, 2 releases: sound",
  });
});

test("verify names the damaged file, and what an interrupted writer left behind", async () => {
  const sets = join(fixture.path, "ecpnd", "sets");
  const [name] = await readdir(sets);
  const text = await readFile(join(sets, name!), "utf8");
  await writeFile(join(sets, name!), text.replace("0.125", "0.126"));
  await writeFile(join(sets, ".tmp-1"), "");
  const { code, text: said } = await verify(fixture.path);
  expect(code).toBe(1);
  expect(said).toContain(`${join("ecpnd", "sets", name!)}: Cannot read $.sha256`);
  expect(said).toContain(`${join("ecpnd", "sets", ".tmp-1")}: left behind`);
  expect(said).toMatch(/2 releases: 1 problem$/);
});

test("verify compares what was derived from a release with the release", async () => {
  const api = await connect({
    apiKey: "svc_test_verify0123456789",
    store: fixture.path,
    fetch: () => Promise.reject(new Error("nothing may be sent")),
  });
  const { raw } = await api.history("ecpnd", { offline: true, lazy: true }).withResponse();
  await api.close();
  expect((await verify(fixture.path)).code).toBe(0);
  const derived = join(dirname(raw.path), "history.parquet");
  const bytes = await readFile(derived);
  await writeFile(derived, bytes.with(9, bytes[9]! ^ 1));
  const { code, text } = await verify(fixture.path);
  expect(code).toBe(1);
  expect(text).toContain(`${relative(fixture.path, derived)}: expected the CRC-32`);
  expect(text).toMatch(/2 releases: 1 problem$/);
});

test("verify needs one folder, which must be a store", async () => {
  expect((await verify()).code).toBe(2);
  expect((await verify("a", "b")).code).toBe(2);
  const { code, text } = await verify(join(fixture.path, "ecpnd"));
  expect(code).toBe(1);
  expect(text).toContain("got a folder without it");
  const nowhere = await verify(join(fixture.path, "nowhere"));
  expect(nowhere.code).toBe(1);
  expect(nowhere.text).toContain("got no such folder");
});

test("verify tells of a store of another version, or with a damaged store.json", async () => {
  const told = { '{"format":2}': "format 1", '{"form': "damaged" };
  for (const [content, expected] of Object.entries(told)) {
    await writeFile(join(fixture.path, "store.json"), content);
    const { code, text } = await verify(fixture.path);
    expect(code).toBe(1);
    expect(text).toContain(`"${fixture.path}": `);
    expect(text).toContain(expected);
  }
});
