import { describe, expect, test } from "vitest";
import type { Check } from "../../../src/base/contract/scores/check.ts";
import { shapeCheck, type TimelineEvent } from "../../../src/server/timeline/timeline.ts";

const SPAN = { from: "2026-11-20T12:00:00.000Z", until: "2026-11-20T18:00:00.000Z" };

function shaped(change: object, event: object) {
  const { coverage = {}, ...fields } = change as { coverage?: object };
  const check = {
    factor: "ecqdi",
    dataThrough: "2026-11-20T14:55:00.000Z",
    status: "current",
    ...fields,
    coverage: { priceTickersTracked: 3, priceTickersCurrent: 3, ...coverage },
  };
  return shapeCheck(check as unknown as Check, { ...SPAN, ...event } as TimelineEvent);
}

describe("a delay of the sources", () => {
  const delay = { kind: "source_delay" };

  test("holds the cutoff at its start, and never moves it on", () => {
    expect(shaped({}, delay)).toMatchObject({
      dataThrough: "2026-11-20T12:00:00.000Z",
      status: "call_source_delayed",
    });
    expect(shaped({ dataThrough: "2026-11-20T11:00:00.000Z" }, delay).dataThrough)
      .toBe("2026-11-20T11:00:00.000Z");
  });

  test("stands before missing prices, behind staleness, and leaves a status of tomorrow as it is", () => {
    expect(shaped({ status: "partial_market_data" }, delay).status).toBe("call_source_delayed");
    expect(shaped({ status: "stale" }, delay).status).toBe("stale");
    expect(shaped({ status: "a_status_of_tomorrow" }, delay).status).toBe("a_status_of_tomorrow");
  });
});

describe("a backlog", () => {
  test.each([
    ["ecqdi", { pendingCalls: 1 }, [1, 0, 0], "call_updates_pending"],
    ["ecqdi", { failedCalls: 2 }, [0, 2, 0], "call_updates_pending"],
    ["ecqdi", { pendingFactorCalls: 3 }, [0, 0, 3], "call_updates_pending"],
    ["ecqdi", {}, [0, 0, 0], "current"],
    ["ecpnd", { pendingFactorCalls: 3 }, [0, 0, null], "current"],
  ])("of %s with %j counts %j and is %s", (factor, counts, [pending, failed, queued], status) => {
    expect(shaped({ factor }, { kind: "backlog", ...counts })).toMatchObject({
      coverage: { pendingCalls: pending, failedCalls: failed, pendingFactorCalls: queued },
      status,
    });
  });

  test("stands behind a delay of the sources", () => {
    const { status } = shaped({ status: "call_source_delayed" }, {
      kind: "backlog",
      failedCalls: 1,
    });
    expect(status).toBe("call_source_delayed");
  });
});

describe("missing prices", () => {
  test.each([
    [3, 3, "current"],
    [2, 3, "partial_market_data"],
    [null, 3, "partial_market_data"],
    [3, null, "partial_market_data"],
  ])("for %j of %j tickers make it %s", (priceTickersCurrent, priceTickersTracked, status) => {
    const event = { kind: "partial_prices", priceTickersCurrent };
    expect(shaped({ coverage: { priceTickersTracked } }, event))
      .toMatchObject({ coverage: { priceTickersCurrent }, status });
  });
});
