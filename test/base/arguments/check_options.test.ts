import type pl from "nodejs-polars";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { connect } from "../../../src/client/connect.ts";
import type { ConnectOptions } from "../../../src/client/connect_options.ts";
import type { FactorApi } from "../../../src/client/factor_api.ts";
import { KEY, type Service, startService } from "../../client/_service.ts";

let service: Service;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.close());

// What a notebook cell can write, where no compiler looks.
type Cell = { readonly [Verb in keyof FactorApi]: (...given: unknown[]) => Promise<unknown> };

async function failure(run: (api: Cell) => Promise<unknown>): Promise<Error> {
  const api = await service.connect();
  return await run(api as unknown as Cell).then(
    () => Promise.reject(new Error("an error is required")),
    (error: Error) => error,
  );
}

const FROM = "2026-11-20T10:00:00Z";
const KEY_OF_A_CELL = "svc_live_cell!0123456789abcdef";

describe("an option that a verb does not have", () => {
  test.each<[string, (api: Cell) => Promise<unknown>, string]>([
    ["scores", (api) => api.scores("ecpnd", { snapshot_id: "x" }), "did you mean snapshotId?"],
    ["factors", (api) => api.factors({ timeout: 5 }), "did you mean timeoutMs?"],
    [
      "history",
      (api) => api.history("ecpnd", { download_sha256: "x" }),
      "did you mean downloadSha256?",
    ],
    ["publications", (api) => api.publications("ecpnd", { from: FROM, til: FROM }), 'got "til"'],
    ["panel", (api) => api.panel("ecpnd", { at: [FROM], layuot: "wide" }), "did you mean layout?"],
    [
      "plan",
      (api) => api.plan({ verb: "scores", factor: "ecpnd", options: { At: FROM } }),
      "did you mean at?",
    ],
    [
      "watch",
      (api) => (api.watch("ecpnd", { settle: 1 }) as unknown as AsyncGenerator).next(),
      "did you mean settleMs?",
    ],
  ])("is refused by %s(), with the nearest one that it has, before anything is sent", async (
    _verb,
    run,
    words,
  ) => {
    const error = await failure(run);
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toContain(words);
    expect(service.requests).toHaveLength(0);
  });

  test.each<[string, (api: Cell) => Promise<unknown>, string]>([
    ["scores", (api) => api.scores("ecpnd", { x: 1 }), "at, snapshotId, ticker"],
    ["history", (api) => api.history("ecpnd", { x: 1 }), "offline, lazy, downloadSha256"],
    ["publications", (api) => api.publications("ecpnd", { from: FROM, x: 1 }), "from, to"],
    ["panel", (api) => api.panel("ecpnd", { at: [FROM], x: 1 }), "at, sessions, delayMs"],
    [
      "watch",
      (api) => (api.watch("ecpnd", { x: 1 }) as unknown as AsyncGenerator).next(),
      "current, settleMs",
    ],
  ])("is answered with the own options of %s() before those of every verb", async (
    _verb,
    run,
    own,
  ) => {
    const { message } = await failure(run);
    expect(message).toContain(`one of the options ${own},`);
    expect(message).toContain(", signal, timeoutMs, deadlineMs, maxRetries, maxWaitMs, reserve");
  });

  test("is refused by connect()", async () => {
    await expect(connect({ elsewhere: 1 } as ConnectOptions)).rejects.toThrow(
      "apiKey, askForKey, baseUrl, offline, account,",
    );
    await expect(connect({ apikey: KEY } as ConnectOptions)).rejects.toThrow(
      "did you mean apiKey?",
    );
    await expect(connect({ apiKey: KEY, timeoutMs: "5s" as unknown as number }))
      .rejects.toThrow(
        'Cannot call connect(): expected timeoutMs to be a number of at least 0, got "5s"',
      );
  });
});

describe("a value that an option cannot take", () => {
  test.each<[string, (api: Cell) => Promise<unknown>, string]>([
    [
      "another gate",
      (api) => api.scores("ecpnd", { require: "fresh" }),
      'expected require to be "current", got "fresh"',
    ],
    [
      "another format",
      (api) => api.scores("ecpnd", { format: "xml" }),
      'expected format to be "json" or "csv"',
    ],
    [
      "another layout",
      (api) => api.panel("ecpnd", { at: [FROM], layout: "Wide" }),
      'expected layout to be "long" or "wide", got "Wide"',
    ],
    [
      "another step",
      (api) => api.panel("ecpnd", { at: [FROM], every: "checks" }),
      'expected every to be "set" or "check", got "checks"',
    ],
    [
      "an age in words",
      (api) => api.scores("ecpnd", { maxAgeMs: "1h" }),
      "expected maxAgeMs to be a number of at least 0",
    ],
    ["no times at all", (api) => api.panel("ecpnd", {}), "expected at to be an array"],
    ["one time", (api) => api.panel("ecpnd", { at: FROM }), "expected at to be an array"],
    [
      "no options",
      (api) => api.publications("ecpnd"),
      'expected an object of options, such as { from: "2026-11-19T00:00:00Z" }, got nothing',
    ],
    [
      "no options of a panel",
      (api) => api.panel("ecpnd"),
      'expected an object of options, such as { sessions: { from: "2026-11-02", to: "2026-11-19" }, delayMs: 15 * 60_000 }, got nothing',
    ],
    [
      "an invalid Date",
      (api) => api.scores("ecpnd", { at: new Date("x") }),
      "such as 2026-11-19T15:00:00Z, a Date, a Temporal.Instant or epoch milliseconds, got an invalid Date",
    ],
    [
      "a time in seconds",
      (api) => api.scores("ecpnd", { at: 1_763_650_805 }),
      "got 1763650805; multiply epoch seconds by 1000",
    ],
    [
      "a part of an id",
      (api) => api.scores("ecpnd", { snapshotId: "370760d0" }),
      'Cannot load scores: expected snapshotId to be a UUID, got "370760d0"',
    ],
    [
      "a plan with an option beside the options",
      (api) => api.plan({ verb: "panel", factors: "ecpnd", at: [FROM] }),
      'expected the fields verb, factors, options for panel, got "at"; it belongs in options',
    ],
    [
      "a plan with another field",
      (api) => api.plan({ verb: "scores", factors: "ecpnd" }),
      'expected the fields verb, factor, options for scores, got "factors"',
    ],
    [
      "a verb for a plan",
      (api) => api.plan("scores"),
      'expected an object such as { verb: "scores", factor: "ecpnd" }, got "scores"',
    ],
    ["no interval", (api) => api.publications("ecpnd", {}), "Cannot use the option from"],
    [
      "a plan without times",
      (api) => api.plan({ verb: "panel", factors: "ecpnd" }),
      "expected at to be",
    ],
    [
      "a plan without interval",
      (api) => api.plan({ verb: "publications", factor: "ecpnd" }),
      "Cannot use the option from",
    ],
    [
      "a verb without a plan",
      (api) => api.plan({ verb: "watch" }),
      "expected verb to be one of scores, panel",
    ],
  ])("is refused: %s", async (_name, run, words) => {
    const error = await failure(run);
    expect([TypeError, RangeError]).toContain(error.constructor);
    expect(error.message).toContain(words);
    expect(service.requests).toHaveLength(0);
  });

  test("may be undefined, which is an option that is left out", async () => {
    const api = await service.connect({ timeoutMs: undefined } as unknown as ConnectOptions);
    const options = { at: undefined, require: undefined };
    expect((await (api as unknown as Cell).scores("ecpnd", options) as pl.DataFrame).height).toBe(
      8,
    );
  });
});

test.each<[string, (api: Cell) => Promise<unknown>]>([
  ["the factor", (api) => api.scores(KEY_OF_A_CELL)],
  ["the factor of a release", (api) => api.history(KEY_OF_A_CELL)],
  ["the factor of a panel", (api) => api.panel(KEY_OF_A_CELL, { at: [FROM] })],
  ["the ticker", (api) => api.scores("ecpnd", { ticker: KEY_OF_A_CELL })],
  ["the time", (api) => api.scores("ecpnd", { at: KEY_OF_A_CELL })],
  ["the set", (api) => api.scores("ecpnd", { snapshotId: KEY_OF_A_CELL })],
  ["the checksum", (api) => api.history("ecpnd", { downloadSha256: KEY_OF_A_CELL })],
  ["an option", (api) => api.scores("ecpnd", { [KEY_OF_A_CELL]: 1 })],
  ["a value", (api) => api.scores("ecpnd", { require: KEY_OF_A_CELL })],
])("a key given as %s is in no part of the error", async (_name, run) => {
  const error = await failure(run);
  expect(`${error.message}${error.stack}${Deno.inspect(error)}`).not.toContain("0123456789");
});
