import pl from "nodejs-polars";
import { describe, expect, test } from "vitest";
import type { KernelMessage } from "../../../src/frames/notebook/kernel/kernel.ts";
import { displayLoad } from "../../../src/frames/notebook/shown_promise.ts";

const DISPLAY = Symbol.for("Jupyter.display");

describe("displayLoad()", () => {
  test("shows a rejection as its name and message, and never throws", async () => {
    const bundle = await displayLoad(Promise.reject(new TypeError("a < b")));
    expect(bundle["text/plain"]).toBe("TypeError: a < b");
    expect(bundle["text/html"]).toContain("a &lt; b");
  });

  test("shows a rejection in a kernel as the kernel shows the error that ends a cell", async () => {
    const sent: KernelMessage[] = [];
    const broadcast = (message: KernelMessage) => Promise.resolve(void sent.push(message));
    const error = new RangeError("too far");
    error.stack =
      "RangeError: too far\n    at load (file:///home/me/load.ts:1:2)\n    at <anonymous>:1:1";
    expect(await displayLoad(Promise.reject(error), { kernel: { broadcast } })).toEqual({});
    expect(sent).toEqual([{
      type: "error",
      ename: "RangeError",
      evalue: "too far",
      traceback: ["Stack trace:", "RangeError: too far", "    at <anonymous>:1:1"],
    }]);
  });

  test("breaks the lines of an error between words, which a notebook would break anywhere", async () => {
    const sent: KernelMessage[] = [];
    const broadcast = (message: KernelMessage) => Promise.resolve(void sent.push(message));
    const sha = "d310bc28".repeat(8);
    const error = new RangeError(
      `Cannot load the ecpnd history: expected a file with the SHA-256 ${sha}, got another one`,
    );
    error.stack = `RangeError: ${error.message}\n    at <anonymous>:1:1`;
    await displayLoad(Promise.reject(error), { kernel: { broadcast } });
    expect(sent).toMatchObject([{
      evalue: error.message,
      traceback: [
        "Stack trace:",
        "RangeError: Cannot load the ecpnd history: expected a file with the",
        "SHA-256",
        `${sha}, got`,
        "another one",
        "    at <anonymous>:1:1",
      ],
    }]);
  });

  test("says of a lazy frame how it gets its rows", async () => {
    const lazy = Promise.resolve(pl.DataFrame({ ticker: ["E"] }).lazy());
    expect(await displayLoad(lazy)).toEqual({
      "text/plain": "A lazy frame; await frame.collect() returns its rows",
    });
  });

  test("shows a frame and any other value", async () => {
    const frame = await displayLoad(Promise.resolve(pl.DataFrame({ ticker: ["E"] })));
    expect(frame["text/plain"]).toContain("1 row × 1 column");
    expect(await displayLoad(Promise.resolve(null))).toEqual({ "text/plain": "null" });
    const own = { [DISPLAY]: () => ({ "text/plain": "mine" }) };
    expect(await displayLoad(Promise.resolve(own))).toEqual({ "text/plain": "mine" });
  });
});
