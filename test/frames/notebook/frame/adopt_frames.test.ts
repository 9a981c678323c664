import pl from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { loadFrameFactory } from "../../../../src/frames/frame/frame_factory.ts";
import { adoptFrames } from "../../../../src/frames/notebook/adopt_notebook.ts";

const DISPLAY = Symbol.for("Jupyter.display");

describe("adoptFrames()", () => {
  test("does nothing outside a notebook", async () => {
    let loaded = false;
    await adoptFrames(() => {
      loaded = true;
      return loadFrameFactory();
    });
    expect(loaded).toBe(false);
  });

  test("gives derived frames the display, once however often it is called", async () => {
    const factory = await loadFrameFactory();
    const original = factory._DataFrame;
    try {
      await adoptFrames(() => Promise.resolve(factory), { enabled: true });
      const adopted = factory._DataFrame;
      await adoptFrames(() => Promise.resolve(factory), { enabled: true });
      expect(factory._DataFrame).toBe(adopted);
      const source = pl.DataFrame({ ticker: ["A", "B"], rows: [1, 2] });
      const derived = [
        source.filter(pl.col("ticker").eq(pl.lit("A"))),
        source.join(source, { on: "ticker" }).head(1),
        await source.lazy().select(pl.col("rows").cast(pl.Int64).sum()).collect(),
        pl.readCSV("a\n1\n"),
      ];
      for (const frame of derived) {
        const hook = Reflect.get(frame, DISPLAY) as () => Promise<Record<string, string>>;
        expect((await hook())["text/plain"]).toContain("1 row × ");
      }
    } finally {
      factory._DataFrame = original;
    }
  });

  test("leaves frames as they are when the module cannot be loaded", async () => {
    await adoptFrames(() => Promise.reject(new Error("gone")), { enabled: true });
    expect(pl.DataFrame({ a: [1] }).columns).toEqual(["a"]);
  });
});
