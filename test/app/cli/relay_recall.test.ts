import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { JournalFile } from "../../../src/app/cli/journal_file.ts";
import { runRelay } from "../../../src/app/cli/relay.ts";
import { openTemporaryFolder } from "../../../src/base/disk/temporary_folder.ts";
import { journalFrame } from "../../../src/frames/frame/journal_frame.ts";
import { createScoreServer } from "../../../src/server/mod.ts";
import { makeFixtureStore } from "../../helpers/fixture_store.ts";

const KEYS = { ann: "svc_test_ann", bob: "svc_test_bob" };

async function ask(...args: readonly string[]) {
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  const code = await runRelay(["recall", ...args], { out: write, error: write });
  return { code, text: lines.join("\n") };
}

test("relay recall names who was answered with a set, by the latest view, an instant or its id", async () => {
  using place = await openTemporaryFolder("journal");
  const fixture = await makeFixtureStore();
  const path = join(place.path, "journal.jsonl");
  const journal = new JournalFile(path, { goesOn: true, onTrouble: () => {} });
  const server = createScoreServer({
    store: fixture.store,
    accounts: Object.entries(KEYS).map(([id, key]) => ({
      id,
      factors: ["ecpnd"],
      keys: [{ key }],
    })),
    clock: { at: "2026-11-20T15:00:00Z" },
    journal: { onEntry: journal.write },
  });
  const get = async (key: string, query: string) =>
    await (await server.fetch(
      new Request(`http://localhost/v1/scores?factor=ecpnd${query}`, {
        headers: { Authorization: `Bearer ${key}` },
      }),
    )).json();
  const { snapshot_id: id } = await get(KEYS.ann, "");
  await get(KEYS.ann, `&snapshot_id=${id}`);
  await get(KEYS.bob, "&at=2026-11-20T14:59:00Z");
  await get(KEYS.bob, "&ticker=?");
  await server.close();
  await fixture.remove();
  journal.close();
  expect((await stat(path)).mode & 0o077).toBe(0);
  const { code, text } = await ask("--set", id.slice(0, 8), path);
  expect(code).toBe(1);
  expect(text).toContain("ann  2 times, first 2026-11-20T15:00:00.000Z");
  expect(text).toMatch(/^[12] users? loaded/);
  expect(await ask("--set", "00000000", path)).toEqual({
    code: 0,
    text: "0 users loaded 00000000",
  });
  const lines = (await readFile(path, "utf8")).trim().split("\n").map((line) => JSON.parse(line));
  expect(journalFrame(lines).getColumn("serves").toArray()[0]).toBe(id);
  // Lines of earlier versions have no such field, and the last one may be half written.
  await writeFile(path, `${JSON.stringify({ ...lines[0], serves: undefined })}\n{"at":`);
  expect((await ask("--set", id, path)).text).toBe(`0 users loaded ${id}\nnot readable: 1 line`);
});

test("relay recall refuses less than eight characters", async () => {
  await expect(ask("--set", "0b1f", "journal.jsonl")).rejects.toThrow("8 characters or more");
});
