import fc from "fast-check";
import pl from "nodejs-polars";
import { expect, test } from "vitest";
import { readTexts } from "../../../src/analysis/table/read_columns.ts";

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
