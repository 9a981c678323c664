import fc from "fast-check";
import type { DataFrame } from "nodejs-polars";
import { expect, test } from "vitest";
import { ScoreframeError } from "../../../src/base/errors.ts";
import type { FaultRule } from "../../../src/server/mod.ts";
import { Store } from "../../../src/base/store/store.ts";
import { verifyStore } from "../../../src/base/store/verify_store.ts";
import { startService } from "../_service.ts";

const HOURS = ["10", "11", "12", "13", "14", "15"].map((hour) => `2026-11-20T${hour}:00:00Z`);
const FIRST = [0, 0.125, 0.25, null, 0.5, 0.75, 1, 0.375];
const SECOND = [0, 0.125, 0.3, 0.875, 0.5, null, 1, 0.375];

const target = { after: fc.nat({ max: 3 }), count: fc.integer({ min: 1, max: 4 }) };
const fault: fc.Arbitrary<FaultRule> = fc.oneof(
  fc.record({
    kind: fc.constant("status" as const),
    status: fc.constantFrom(206, 301, 400, 403, 404, 408, 413, 429, 431, 500, 503),
    retryAfterSeconds: fc.constantFrom(0, 1, 20, 5_000),
    ...target,
  }),
  fc.record({
    kind: fc.constant("proxy_page" as const),
    status: fc.constantFrom(200, 403, 404, 429, 502, 503),
    ...target,
  }),
  fc.record({
    kind: fc.constantFrom("cut" as const, "reset" as const),
    afterBytes: fc.integer({ min: 0, max: 900 }),
    ...target,
  }),
  fc.record({
    kind: fc.constant("content_length" as const),
    by: fc.constantFrom(-23, -1, 1, 50),
    ...target,
  }),
  fc.record({
    kind: fc.constantFrom(
      "duplicate_row" as const,
      "unsorted_rows" as const,
      "missing_row" as const,
      "score_out_of_range" as const,
    ),
    ...target,
  }),
  fc.record({
    kind: fc.constant("headers" as const),
    set: fc.dictionary(
      fc.constantFrom("Content-Type", "ETag", "X-Factor-Snapshot", "X-Factor-Status", "Date"),
      fc.constantFrom(null, "", "text/html", 'W/"x"', "stale"),
      { minKeys: 1, maxKeys: 2 },
    ),
    ...target,
  }),
);

test(
  "whatever combination of faults strikes, every frame is true and every failure has a name",
  async () => {
    let frames = 0;
    let failures = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fault, { minLength: 1, maxLength: 4 }),
        fc.boolean(),
        async (faults, asCsv) => {
          const service = await startService();
          const { url } = await service.server.listen();
          const api = await service.connectTo(url);
          for (const rule of faults) service.server.faults.add(rule);
          const format = asCsv ? "csv" as const : "json" as const;
          const loads: readonly [() => Promise<DataFrame>, readonly (number | null)[]][] = [
            [() => api.scores("ecpnd", { format }), SECOND],
            [() => api.scores("ecpnd", { format, at: "2026-11-20T12:30:00Z" }), FIRST],
            [() => api.panel("ecpnd", { at: HOURS, progress: false }), [
              ...[FIRST, FIRST, FIRST, SECOND, SECOND, SECOND].flat(),
            ]],
          ];
          for (const [load, truth] of loads) {
            const outcome = await load().catch((error: unknown) => error);
            if (outcome instanceof Error) {
              failures++;
              expect(outcome).toBeInstanceOf(ScoreframeError);
              expect(outcome.message).toMatch(/^Cannot /);
            } else {
              frames++;
              expect((outcome as DataFrame).getColumn("ecpnd_score").toArray()).toEqual(truth);
            }
          }
          const { problems } = await verifyStore(await Store.open(api.store));
          expect(problems).toEqual([]);
          // A reset may destroy a Retry-After before anybody could read it.
          if (faults.some(({ kind }) => kind === "reset")) return await service.close();
          const complaints = service.server.journal.entries.flatMap((entry) => entry.complaints);
          expect(complaints.filter((text) => text.startsWith("retried"))).toEqual([]);
          await service.close();
        },
      ),
      { numRuns: 30, seed: 7 },
    );
    expect(frames).toBeGreaterThan(10);
    expect(failures).toBeGreaterThan(10);
  },
);
