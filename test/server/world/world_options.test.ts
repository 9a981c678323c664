import { describe, expect, test } from "vitest";
import { liveFromMs, toWorldParameters } from "../../../src/server/world/world_options.ts";

describe("toWorldParameters()", () => {
  test("fills in the documented defaults of both sizes", () => {
    const versions = { ecpnd: "ecpnd-v1", ecqdi: "ecqdi-v1" };
    const common = { seed: 7, end: "2026-11-20T15:00:00.000Z", factorVersions: versions };
    expect(toWorldParameters()).toEqual({ ...common, tickers: 60, years: 2, hours: 4180 });
    expect(toWorldParameters({ size: "full" }))
      .toEqual({ ...common, tickers: 3000, years: 10, hours: 4180 });
    expect(toWorldParameters({ size: "full", hours: 2 }).hours).toBe(2);
  });

  test("ends on the last full hour, whatever the offset", () => {
    expect(toWorldParameters({ end: "2026-11-20T10:59:59.999-05:00" }).end)
      .toBe("2026-11-20T15:00:00.000Z");
  });

  test("counts the first and the last check", () => {
    expect(liveFromMs(toWorldParameters({ hours: 1 }))).toBe(Date.UTC(2026, 10, 20, 15));
    expect(liveFromMs(toWorldParameters({ hours: 3 }))).toBe(Date.UTC(2026, 10, 20, 13));
  });

  test.each([
    [{ tickers: 0 }, "expected tickers to be a whole number from 1 to 20,000, got 0"],
    [{ tickers: 20_001 }, "expected tickers to be"],
    [{ seed: -1 }, "expected seed to be a whole number from 0 to 4,294,967,295, got -1"],
    [{ seed: 2 ** 32 }, "expected seed to be"],
    [{ seed: 1.5 }, "expected seed to be a whole number"],
    [{ hours: 0 }, "expected hours to be"],
    [{ hours: NaN }, "expected hours to be"],
    [{ years: 0.08 }, "expected years to be"],
    [{ years: 31 }, "expected years to be"],
    [
      { years: 30, end: "2020-01-01T00:00:00Z" },
      "expected a history between 1993 and November 2060",
    ],
    [{ end: "2060-12-01T00:00:00Z" }, "expected a history between 1993 and November 2060"],
    [
      { end: "2026-11-20" },
      'expected end to be an RFC 3339 date-time with Z or an offset, got "2026',
    ],
    [
      { factorVersions: { ecpnd: "v1" } },
      'expected factorVersions.ecpnd to be of the form "ecpnd-v<n>"',
    ],
    [{ factorVersions: { ecqdi: "ecqdi-v1 " } }, "expected factorVersions.ecqdi to be"],
  ])("refuses %j as out of range", (options, message) => {
    expect(() => toWorldParameters(options as never)).toThrow(RangeError);
    expect(() => toWorldParameters(options as never)).toThrow(`Cannot build a world: ${message}`);
  });

  test.each([
    [{ tickers: "60" }, 'expected tickers to be a whole number from 1 to 20,000, got "60"'],
    [{ end: new Date(0) }, "expected end to be"],
    [{ size: "big" }, 'expected size to be "small" or "full", got "big"'],
    [{ size: "toString" }, "expected size to be"],
  ])("refuses %j as of another kind", (options, message) => {
    expect(() => toWorldParameters(options as never)).toThrow(TypeError);
    expect(() => toWorldParameters(options as never)).toThrow(`Cannot build a world: ${message}`);
  });

  test.each([
    [{ ticker: 5 }, 'factorVersions, got "ticker"'],
    [
      { factorVersions: { ecpn: "ecpn-v2" } },
      'expected one of the options ecpnd, ecqdi, got "ecpn"; did you mean ecpnd?',
    ],
    [{ factorVersions: "ecpnd-v2" }, "expected an object of options"],
    [null, "expected an object of options ({"],
  ])("refuses %j as no such option", (options, message) => {
    expect(() => toWorldParameters(options as never)).toThrow(TypeError);
    expect(() => toWorldParameters(options as never)).toThrow(message);
  });

  test("takes the latest end that there is", () => {
    expect(toWorldParameters({ end: "2060-11-30T23:00:00Z", hours: 2 }).end)
      .toBe("2060-11-30T23:00:00.000Z");
  });
});
