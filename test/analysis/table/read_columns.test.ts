import fc from "fast-check";
import pl from "nodejs-polars";
import { expect, test } from "vitest";
import { readTexts, textPeriod } from "../../../src/analysis/table/read_columns.ts";

const texts = fc.array(fc.option(fc.string({ maxLength: 3 }), { nil: null }), { maxLength: 40 });

test.each([false, true])(
  "texts become numbers in the order of code units and come back, whatever was counted before: %s",
  (isShared) => {
    const alive = isShared
      ? pl.Series("other", ["zz9", "a", "b", ""], pl.Utf8).cast(pl.Categorical)
      : null;
    fc.assert(fc.property(texts, (values) => {
      const frame = pl.DataFrame([pl.Series("ticker", values, pl.Utf8)]);
      const { names, codes } = readTexts("read", frame, "ticker");
      expect(Array.from(codes, (code) => names[code] ?? null)).toEqual(values);
      expect(names).toEqual([...new Set(values.filter((text) => text !== null))].toSorted());
    }));
    expect(alive?.len() ?? 4).toBe(4);
  },
);

test("texts that begin anew again and again become the same numbers, and so do those that nearly do", () => {
  const cases = fc.record({
    head: fc.array(fc.option(fc.string({ maxLength: 2 }), { nil: null }), {
      minLength: 1,
      maxLength: 8,
    }),
    times: fc.integer({ min: 1, max: 9 }),
    rest: fc.nat({ max: 8 }),
    changed: fc.option(fc.nat({ max: 80 }), { nil: null }),
  });
  fc.assert(fc.property(cases, ({ head, times, rest, changed }) => {
    const values = [...Array(times).fill(head).flat(), ...head.slice(0, rest)];
    if (changed !== null && changed < values.length) values[changed] = "other";
    const frame = pl.DataFrame([pl.Series("ticker", values, pl.Utf8)]);
    const { names, codes } = readTexts("read", frame, "ticker");
    expect(Array.from(codes, (code) => names[code] ?? null)).toEqual(values);
    expect(names).toEqual([...new Set(values.filter((text) => text !== null))].toSorted());
  }));
});

test("textPeriod() finds after how many rows texts begin anew, and the number of rows where they do not", () => {
  const period = (values: readonly (string | null)[]) =>
    textPeriod(pl.Series("ticker", [...values], pl.Utf8));
  expect(period(["A", "B", "C", "A", "B", "C", "A"])).toBe(3);
  expect(period(["A", "A", "A"])).toBe(1);
  expect(period(["A", "B", "A", "C"])).toBe(4);
  expect(period(["A", "B"])).toBe(2);
  expect(period(["A", null, "A", null])).toBe(4);
  const many = Array.from({ length: 5_000 }, (_, i) => `T${i}`);
  expect(period([...many, ...many])).toBe(5_000);
});
