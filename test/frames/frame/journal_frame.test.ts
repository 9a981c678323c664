import { afterAll, beforeAll, expect, test } from "vitest";
import type { JournalEntry } from "../../../src/base/contract/http/journal_entry.ts";
import { journalFrame } from "../../../src/frames/frame/journal_frame.ts";
import { createScoreServer } from "../../../src/server/mod.ts";
import { type FixtureStore, makeFixtureStore } from "../../helpers/fixture_store.ts";
import { shownType } from "./_dtype.ts";

const KEY = "svc_test_journal_frame_1";
let fixture: FixtureStore;
beforeAll(async () => {
  fixture = await makeFixtureStore();
});
afterAll(() => fixture.remove());

const ROW: JournalEntry = {
  requestId: "r",
  at: "2026-11-20T15:00:00.000Z",
  method: "GET",
  target: "/v1/scores",
  account: null,
  status: 503,
  code: "internal_error",
  spentRequests: 0,
  spentDownloads: 0,
  sentBytes: 0,
  complete: false,
  durationMs: 0.5,
  note: null,
  faults: ["latency", "status"],
  complaints: [],
  serves: null,
};

test("journalFrame() makes a row of each request of a server's journal", async () => {
  const accounts = [{ id: "desk", factors: ["ecpnd" as const], keys: [{ key: KEY }] }];
  const server = createScoreServer({ store: fixture.store, accounts });
  server.clock.set("2026-11-20T15:00:00Z");
  const ask = async (path: string, key: string) => {
    const headers = { Authorization: `Bearer ${key}` };
    await (await server.fetch(new Request(`http://scores${path}`, { headers }))).arrayBuffer();
  };
  await ask("/v1/scores?factor=ecpnd", KEY);
  await ask("/v1/scores", "svc_test_nobody_has_it");
  const frame = journalFrame(server.journal.entries);
  await server.close();
  expect(
    frame.select("method", "target", "account", "status", "code", "spent_requests", "complete")
      .rows(),
  ).toEqual([
    ["GET", "/v1/scores?factor=ecpnd", "desk", 200, null, 1, true],
    ["GET", "/v1/scores", null, 401, "unauthorized", 0, true],
  ]);
  expect(frame.getColumn("at").toArray()[0]).toEqual(new Date("2026-11-20T15:00:00Z"));
});

test("journalFrame() joins several faults, and has null where there is none", () => {
  const frame = journalFrame([ROW]);
  expect(frame.select("faults", "complaints", "note", "sent_bytes").rows()).toEqual([
    ["latency; status", null, null, 0],
  ]);
  expect(shownType(frame, "status")).toBe("i32");
});

test("journalFrame() keeps its columns while nothing was asked", () => {
  expect(journalFrame([]).columns).toEqual(journalFrame([ROW]).columns);
});
