import pl from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { withFrameDisplay } from "../../../../src/frames/notebook/adopt_notebook.ts";

const DISPLAY = Symbol.for("Jupyter.display");

describe("withFrameDisplay()", () => {
  test("gives one frame its display and changes nothing else", async () => {
    const frame = pl.DataFrame({ ticker: ["NA"] });
    expect(withFrameDisplay(frame)).toBe(frame);
    expect(frame.columns).toEqual(["ticker"]);
    const hook = Reflect.get(frame, DISPLAY) as () => Promise<Record<string, string>>;
    expect((await hook())["text/plain"]).toBe("1 row × 1 column\nticker\nstr\nNA");
  });
});
