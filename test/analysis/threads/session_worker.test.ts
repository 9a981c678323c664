import { Worker } from "node:worker_threads";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { emptyIcValues } from "../../../src/analysis/dense/ic_values.ts";
import { emptyOrders } from "../../../src/analysis/dense/rank/orders.ts";
import { sortedOrders } from "../../../src/analysis/threads/sorted_orders.ts";
import { packArrays } from "../../../src/analysis/threads/packed_arrays.ts";
import { COUNTER, runnerOf, type SessionTask } from "../../../src/analysis/threads/session_task.ts";
import { bufferOf, toShared } from "../../../src/analysis/dense/thread_memory.ts";
import { randomOf } from "../_frames.ts";

const WIDTH = 40;
const SESSIONS = 30;
const random = randomOf(7);
const numbers = () =>
  toShared(Float64Array.from({ length: WIDTH * SESSIONS }, () => {
    const value = random();
    return value < 0.1 ? NaN : value < 0.3 ? 0.5 : value;
  }));
const [scores, returns] = [numbers(), numbers()];
const buckets = new Uint16Array(bufferOf(2 * scores.length, true));
const codes = new Int32Array(bufferOf(4 * scores.length, true)).map(() => 0);

type Results = readonly (Float64Array | Int32Array | Uint16Array | Uint8Array)[];

/** Each kind of task, and the arrays that it fills. */
function tasks(isShared: boolean): readonly (readonly [SessionTask, Results])[] {
  const pairs = emptyIcValues(SESSIONS, isShared);
  const assigned = new Uint16Array(bufferOf(2 * scores.length, isShared));
  const [means, excess] = [
    new Float64Array(bufferOf(40 * SESSIONS, isShared)),
    new Float64Array(bufferOf(40 * SESSIONS, isShared)),
  ];
  const counts = new Int32Array(bufferOf(20 * SESSIONS, isShared));
  const orders = emptyOrders(scores, WIDTH, isShared);
  const signals = [1, 3].map(() =>
    new Float64Array(bufferOf(8 * scores.length, isShared)).fill(NaN)
  );
  const scored = Int32Array.from({ length: SESSIONS }, (_, i) => (i + 7) % SESSIONS);
  const priced = Int32Array.from({ length: SESSIONS }, (_, i) => i === 3 ? -1 : i);
  return [
    [
      {
        kind: "pair IC",
        scores: sortedOrders(scores, WIDTH),
        returns: [sortedOrders(returns, WIDTH)],
        ...{ scored, priced, minNames: 5, results: [pairs] },
      },
      [pairs.values, pairs.counts, pairs.reasons],
    ],
    [
      { kind: "orders", values: scores, orders },
      [orders.order, orders.starts, orders.ranks, orders.masks, orders.counts, orders.ties],
    ],
    [
      { kind: "signals", ranks: scores, width: WIDTH, horizons: [1, 3], signals },
      signals,
    ],
    [
      {
        kind: "buckets",
        ...{ scores, orders: sortedOrders(scores, WIDTH), buckets: assigned },
        ...{ shares: 5, ties: "together", minNames: 5 },
      },
      [assigned],
    ],
    [
      {
        kind: "cells",
        ...{ scores, buckets, returns, codes, width: WIDTH, count: 5, perSession: 5, first: 0 },
        ...{ means, excess, counts },
      },
      [means, excess, counts],
    ],
  ];
}

describe("a worker", () => {
  let worker: Worker;
  beforeAll(() => {
    for (let cell = 0; cell < buckets.length; cell++) {
      buckets[cell] = Math.floor(random() * 6);
    }
    const file = "../../../src/analysis/threads/session_worker.ts";
    worker = new Worker(new URL(file, import.meta.url));
  });
  afterAll(() => worker.terminate());

  test.each(["pair IC", "orders", "signals", "buckets", "cells"])(
    "fills the arrays of a task with the bits that this thread computes: %s",
    (kind) => {
      const of = (isShared: boolean) => tasks(isShared).find(([task]) => task.kind === kind)!;
      const [task, results] = of(true);
      const counters = new Int32Array(new SharedArrayBuffer(12));
      worker.postMessage(packArrays({
        task,
        chunks: { from: 0, to: SESSIONS, size: 7, counters },
      }));
      // This thread takes no chunk, so that the worker takes all five.
      for (let done = 0; done < 5; done = Atomics.load(counters, COUNTER.done)) {
        expect(Atomics.wait(counters, COUNTER.done, done, 60_000)).not.toBe("timed-out");
      }
      expect(counters[COUNTER.failed]).toBe(0);
      const [own, expected] = of(false);
      const run = runnerOf(own);
      for (let session = 0; session < SESSIONS; session++) run(session);
      expect(results.map((array) => Array.from(array))).toEqual(
        expected.map((array) => Array.from(array)),
      );
      expect(new Set<number>(results[0]!).size).toBeGreaterThan(4);
    },
  );

  test("tells the waiting thread that it failed", () => {
    const counters = new Int32Array(new SharedArrayBuffer(12));
    const task = { kind: "pair IC", scores: null };
    worker.postMessage(packArrays({ task, chunks: { from: 0, to: 1, size: 1, counters } }));
    expect(Atomics.wait(counters, COUNTER.done, 0, 60_000)).not.toBe("timed-out");
    expect(counters[COUNTER.failed]).toBe(1);
  });
});
