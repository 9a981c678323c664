// @heavy: an hour of faults
import { readdirSync } from "node:fs";
import process from "node:process";
import { expect, test } from "vitest";
import { createScoreServer, type ScoreServer } from "../../../src/server/mod.ts";
import { collectGarbage } from "../../helpers/collect_garbage.ts";
import { FIXTURE_SETS } from "../../helpers/fixture_store.ts";
import { ACCOUNT_KEY, useRelays } from "./_relay.ts";

const { fixture, start } = useRelays();

const STEP_MS = 5_000;
const STEPS = 720;
const QUESTIONS: readonly string[] = (["ecpnd", "ecqdi"] as const).flatMap((factor) => [
  ...[1, 2, 3].map(() => `/v1/scores?factor=${factor}`),
  `/v1/scores?factor=${factor}&format=csv`,
  `/v1/scores?factor=${factor}&snapshot_id=${FIXTURE_SETS[factor].first}`,
  `/v1/scores?factor=${factor}&snapshot_id=${FIXTURE_SETS[factor].second}`,
  ...["10:30", "11:10", "12:00", "12:20"].map((time) =>
    `/v1/scores?factor=${factor}&at=2026-11-20T${time}:00Z`
  ),
  `/v1/scores/history?factor=${factor}`,
  `/v1/scores/history.csv.gz?factor=${factor}`,
]);

/** Numbers from 0 to 1, the same for the same seed. */
function* chances(seed: number): Generator<number, never, void> {
  for (let state = seed;;) {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    yield state / 2 ** 32;
  }
}

async function asText(response: Response): Promise<string> {
  const bytes = await response.arrayBuffer();
  return new TextDecoder("latin1").decode(bytes);
}

/** Open files, and bytes that are in use. */
function usedNow(): { readonly files: number; readonly bytes: number } {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return { files: readdirSync("/proc/self/fd").length, bytes: heapUsed + external };
}

/** Growth from the first half of some values to the second, by their medians. */
function growthOf(values: readonly number[]): number {
  const median = (part: readonly number[]) => part.toSorted((a, b) => a - b)[part.length >> 1]!;
  const middle = values.length >> 1;
  return median(values.slice(middle)) - median(values.slice(0, middle));
}

test("an hour of mixed load with faults gives no wrong answer, and takes no more memory and files at its end", async () => {
  let backMs = 0;
  const started = await start({
    relay: { journal: { capacity: 20 } },
    service: {
      journal: { capacity: 20 },
      faults: [
        { kind: "status", status: 503, retryAfterSeconds: 7, probability: 0.05 },
        { kind: "reset", afterBytes: 10, probability: 0.05 },
        { kind: "cut", afterBytes: 40, probability: 0.05 },
        { kind: "dribble", chunkBytes: 100, intervalMs: 1, probability: 0.1 },
        { kind: "score_out_of_range", probability: 0.05 },
        { kind: "proxy_page", probability: 0.03 },
      ],
      timeline: [
        {
          kind: "licence",
          account: "desk",
          factor: "ecqdi",
          active: false,
          at: "2026-11-20T13:10:00Z",
        },
        {
          kind: "licence",
          account: "desk",
          factor: "ecqdi",
          active: true,
          at: "2026-11-20T13:20:00Z",
        },
      ],
    },
  });
  const { service, add, get } = started;
  service.clock.set("2026-11-20T12:30:00Z");
  await started.reopen({ now: () => service.clock.nowMs() - backMs });
  const keys = await Promise.all(["ann", "bob", "cas"].map((name) => add(name)));
  // The same service without faults, as it is at any time.
  const clean = createScoreServer({
    store: fixture().store,
    journal: { capacity: 20 },
    accounts: [{
      ...{ id: "clean", factors: ["ecpnd", "ecqdi"], keys: [{ key: ACCOUNT_KEY }] },
      limits: { requestsPerMinute: 1e6, requestsPerDay: 1e6, downloadsPerDay: 1e6 },
    }],
  });
  const chance = chances(11);
  const pick = <T>(items: readonly T[]) => items[Math.floor(chance.next().value * items.length)]!;
  const seen = new Map<number, number>();
  const used: ReturnType<typeof usedNow>[] = [];
  for (let step = 0; step < STEPS; step++) {
    service.clock.advance(STEP_MS);
    if (step === 400) backMs = 1_800_000;
    if (step >= STEPS / 4 && step % 20 === 0) used.push(usedNow());
    const path = pick(QUESTIONS);
    const key = pick(keys);
    const answer = await get(path, { key });
    const text = await asText(answer);
    seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1);
    const isLatest = /factor=\w+(&format=csv)?$/.test(path) && path.startsWith("/v1/scores?");
    const at = { nowMs: service.clock.nowMs(), isLatest };
    if (answer.status === 404) {
      const [error] = (await possibleAnswers(clean, path, at)).map((told) =>
        JSON.parse(told).error
      );
      expect([path, error]).toEqual([path, JSON.parse(text).error]);
      continue;
    }
    if (answer.status !== 200) {
      expect([path, [403, 429, 500, 503].includes(answer.status)]).toEqual([path, true]);
      if (answer.status === 503) {
        expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
      }
      continue;
    }
    const possible = await possibleAnswers(clean, path, at);
    expect([step, path, possible.includes(text)]).toEqual([step, path, true]);
  }
  expect(seen.get(200)).toBeGreaterThan(STEPS / 2);
  expect(seen.get(403)).toBeGreaterThan(0);
  expect(seen.get(503)).toBeGreaterThan(0);
  expect(growthOf(used.map(({ files }) => files))).toBeLessThan(3);
  expect(growthOf(used.map(({ bytes }) => bytes))).toBeLessThan(700_000);
  await clean.close();
});

// The latest check may be a minute old; everything else never changes.
async function possibleAnswers(
  clean: ScoreServer,
  path: string,
  { nowMs, isLatest }: { readonly nowMs: number; readonly isLatest: boolean },
): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const agoMs of isLatest ? [0, 30_000, 60_000] : [0]) {
    clean.clock.set(new Date(nowMs - agoMs).toISOString());
    const headers = { Authorization: `Bearer ${ACCOUNT_KEY}` };
    texts.push(await asText(await clean.fetch(new Request(`http://clean${path}`, { headers }))));
  }
  return texts;
}
