import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connect } from "../../../src/client/connect.ts";
import { createScoreServer, type ScoreServer } from "../../../src/server/mod.ts";
import { buildWorld, type World } from "../../../src/server/world/mod.ts";
import { KEY } from "../_service.ts";

const END_MS = Date.parse("2026-11-20T15:00:05Z");
const HOURS = 240;
const HOUR_MS = 3_600_000;

let folder: string;
let world: World;
let server: ScoreServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "scoreframe-panel-"));
  world = await buildWorld(folder, { tickers: 12, years: 0.1, hours: HOURS });
  server = createScoreServer({
    store: world.store,
    accounts: [{
      id: "panel",
      factors: ["ecpnd", "ecqdi"],
      keys: [{ key: KEY }],
      limits: { requestsPerMinute: 1e6, requestsPerDay: 1e6 },
    }],
    now: () => END_MS,
  });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const open = () => connect({ apiKey: KEY, fetch: server.fetch, now: () => END_MS });

/** The sets of a factor in the order of their publication, read from the world's own files. */
async function publishedSets(factor: "ecpnd" | "ecqdi") {
  const ids = await world.store.listSets(factor);
  const sets = await Promise.all(ids.map((id) => world.store.readSet(factor, id)));
  return sets.map((set) => set!).sort((a, b) => a.calculatedAt < b.calculatedAt ? -1 : 1);
}

describe("over a world of hourly checks", () => {
  test(
    "a panel at any instants asks once for each distinct set, and has the numbers of its sets",
    async () => {
      const sets = await publishedSets("ecpnd");
      // Not every hour has a check, so that the first instants may lie before the first publication.
      const firstMs = Date.parse(sets[0]!.calculatedAt);
      const instant = fc.integer({ min: firstMs, max: END_MS }).map((ms) => new Date(ms));
      await fc.assert(
        fc.asyncProperty(fc.array(instant, { minLength: 1, maxLength: 30 }), async (at) => {
          await using api = await open();
          const before = server.journal.total;
          const panel = await api.panel("ecpnd", { at, progress: false });
          const distinct = new Set(panel.getColumn("snapshot_id").toArray());
          expect(server.journal.total - before).toBe(distinct.size);
          const again = await api.panel("ecpnd", { at: at.toReversed(), progress: false });
          expect(server.journal.total - before).toBe(distinct.size);
          expect(again.drop("source").rows()).toEqual(panel.drop("source").rows());
          const expected = [...new Set(at.map((time) => time.getTime()))].sort((a, b) => a - b)
            .flatMap((ms) => {
              const set = sets.findLast(({ calculatedAt }) => Date.parse(calculatedAt) <= ms)!;
              return set.rows.scores;
            });
          expect(panel.getColumn("ecpnd_score").toArray()).toEqual(expected);
        }),
        { numRuns: 12, seed: 7 },
      );
    },
  );

  test("publications() finds every set of the span, newest first, one request each", async () => {
    await using api = await open();
    const before = server.journal.total;
    const from = new Date(END_MS - HOURS * HOUR_MS);
    const frame = await api.publications("ecqdi", { from });
    const sets = await publishedSets("ecqdi");
    expect(frame.getColumn("snapshot_id").toArray())
      .toEqual(sets.map(({ snapshotId }) => snapshotId).reverse());
    expect(server.journal.total - before).toBeLessThanOrEqual(sets.length + 1);
  });
});
