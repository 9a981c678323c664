import { describe, expect, test } from "vitest";
import pl from "nodejs-polars";
import { loadFrameFactory } from "../../src/frame/frame_factory.ts";
import { display } from "../../src/notebook/display.ts";
import { adoptFrames } from "../../src/notebook/adopt_frames.ts";
import { displayLoad } from "../../src/notebook/display_load.ts";
import { withFrameDisplay } from "../../src/notebook/frame_display.ts";
import { findKernel, type KernelMessage } from "../../src/notebook/kernel.ts";

const DISPLAY = Symbol.for("Jupyter.display");

function fakeKernel() {
  const sent: KernelMessage[] = [];
  return { sent, broadcast: (message: KernelMessage) => Promise.resolve(void sent.push(message)) };
}

describe("outside a notebook", () => {
  test("findKernel() is null and does not throw", () => {
    expect(findKernel()).toBeNull();
  });

  test("display() gives the bundle back", async () => {
    expect(await display({ "text/plain": "x" })).toEqual({ "text/plain": "x" });
  });
});

describe("in a notebook", () => {
  test("display() sends the bundle itself and leaves nothing to the kernel", async () => {
    const kernel = fakeKernel();
    expect(await display({ "text/plain": "x" }, { kernel })).toEqual({});
    expect(kernel.sent).toEqual([{ type: "display_data", data: { "text/plain": "x" } }]);
  });

  test("display() leaves the bundle to the kernel when sending fails", async () => {
    const kernel = { broadcast: () => Promise.reject(new Error("closed")) };
    expect(await display({ "text/plain": "x" }, { kernel })).toEqual({ "text/plain": "x" });
  });
});

describe("withFrameDisplay()", () => {
  test("gives one frame its display and changes nothing else", async () => {
    const frame = pl.DataFrame({ ticker: ["NA"] });
    expect(withFrameDisplay(frame)).toBe(frame);
    expect(frame.columns).toEqual(["ticker"]);
    const hook = Reflect.get(frame, DISPLAY) as () => Promise<Record<string, string>>;
    expect((await hook())["text/plain"]).toBe("1 row × 1 column\nticker\nstr\nNA");
  });
});

describe("displayLoad()", () => {
  test("shows a rejection as its name and message, and never throws", async () => {
    const bundle = await displayLoad(Promise.reject(new TypeError("a < b")));
    expect(bundle["text/plain"]).toBe("TypeError: a < b");
    expect(bundle["text/html"]).toContain("a &lt; b");
  });

  test("shows a frame and any other value", async () => {
    const frame = await displayLoad(Promise.resolve(pl.DataFrame({ ticker: ["E"] })));
    expect(frame["text/plain"]).toContain("1 row × 1 column");
    expect(await displayLoad(Promise.resolve(null))).toEqual({ "text/plain": "null" });
    const own = { [DISPLAY]: () => ({ "text/plain": "mine" }) };
    expect(await displayLoad(Promise.resolve(own))).toEqual({ "text/plain": "mine" });
  });
});

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
