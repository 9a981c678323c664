import pl from "nodejs-polars";
import { afterEach, describe, expect, test, vi } from "vitest";
import { placesOf } from "../../../../src/frames/frame/release/release_builder.ts";

afterEach(() => vi.restoreAllMocks());

describe("placesOf()", () => {
  test("gives places that Polars reads as the texts, whatever it numbered before", () => {
    const others = pl.Series("other", ["P3", "P1"], pl.Utf8).cast(pl.Categorical);
    const texts = ["P1", "P2", "P3", "NA", "TRUE"];
    const { places, dictionary } = placesOf(texts);
    const read = pl.Series("ticker", places).cast(pl.Categorical).cast(pl.Utf8);
    expect(read.toArray()).toEqual(texts);
    expect([dictionary.length, others.length]).toEqual([5, 2]);
  });

  test("gives no places for no texts", () => {
    expect([...placesOf([]).places]).toEqual([]);
  });

  test("refuses a Polars that reads places as other texts", () => {
    const texts = ["Q1", "Q2"];
    const { Series } = pl;
    // A version that numbers the categories of each column anew, from the end.
    vi.spyOn(pl, "Series").mockImplementation(
      ((name: string, values: unknown, type: unknown) =>
        values instanceof Uint32Array
          ? Series(name, values.toReversed())
          : (Series as (...given: unknown[]) => pl.Series)(name, values, type)) as never,
    );
    expect(() => placesOf(texts)).toThrow(
      "Cannot encode the tickers: expected categories by position",
    );
  });
});
