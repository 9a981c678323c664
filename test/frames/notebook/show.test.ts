import pl from "nodejs-polars";
import { describe, expect, test } from "vitest";
import type { KernelMessage } from "../../../src/frames/notebook/kernel/kernel.ts";
import { withMetadata } from "../../../src/frames/notebook/mime_bundle.ts";
import type { FrameDisplayOptions } from "../../../src/frames/notebook/frame/frame_bundle.ts";
import { show, showOn } from "../../../src/frames/notebook/show.ts";

const FRAME = pl.DataFrame({ ticker: ["NA"], n: [1] });
const TABLE = "1 row × 2 columns\nticker    n\nstr     f64\nNA        1\n\n";

async function written(content: unknown, extent: FrameDisplayOptions = {}): Promise<string> {
  let text = "";
  await showOn({ kernel: null, write: (part) => void (text += part) }, content, extent);
  return text;
}

describe("show() outside a notebook", () => {
  test("writes a frame, a text, and a load that was not awaited", async () => {
    expect(await written(FRAME)).toBe(TABLE);
    expect(await written("a text")).toBe("a text\n\n");
    expect(await written(Promise.resolve(FRAME))).toBe(TABLE);
  });

  test("writes the text of a value that displays itself", async () => {
    const allowance = {
      toString: () => "9 downloads left",
      [Symbol.for("Jupyter.display")]: () => ({ "text/html": "<b>9</b>" }),
    };
    expect(await written(allowance)).toBe("9 downloads left\n\n");
  });

  test("shows as much of a frame as was asked for", async () => {
    const long = pl.DataFrame({ ticker: ["A", "B", "C", "D"] });
    expect(await written(long, { edgeRows: 1 })).toBe(
      "4 rows × 1 column\nticker\nstr\nA\n… 2 more\nD\n\n",
    );
    expect(await written(long, { edgeRows: Infinity })).not.toContain("more");
    expect(await written(FRAME, { maxColumns: 1 })).toBe(
      "1 row × 2 columns\nticker  … 1 more\nstr     …\nNA      …\n\n",
    );
  });

  test.each([
    [undefined, "undefined"],
    [null, "null"],
    [5, "5"],
    [9007199254740993n, "9007199254740993n"],
    [[1, 2], "[ 1, 2 ]"],
    [{ a: 1 }, "{ a: 1 }"],
    [FRAME.lazy(), "A lazy frame; await frame.collect() returns its rows"],
    [FRAME.getColumn("n"), "1 row × 1 column\n  n\nf64\n  1"],
  ])("writes any other value as text (%#)", async (content, text) => {
    expect(await written(content)).toBe(`${text}\n\n`);
  });

  test("writes the frames in an array, a Map and an object one below the other, with their keys", async () => {
    const table = TABLE.trimEnd();
    expect(await written([FRAME, 5])).toBe(`0:\n${table}\n\n1:\n5\n\n`);
    expect(await written(new Map([["ecpnd", FRAME]]))).toBe(`ecpnd:\n${table}\n\n`);
    expect(await written({ before: FRAME, after: FRAME })).toBe(
      `before:\n${table}\n\nafter:\n${table}\n\n`,
    );
  });

  test.each([
    [
      { edgeRows: 0 },
      "Cannot show: expected edgeRows to be a whole number of at least 1, or Infinity, got 0",
    ],
    [
      { edgeRows: 1.5 },
      "expected edgeRows to be a whole number of at least 1, or Infinity, got 1.5",
    ],
    [{ maxColumns: NaN }, ", got NaN"],
    [
      { maxTextLength: "40" },
      'expected maxTextLength to be a whole number of at least 1, or Infinity, got "40"',
    ],
  ])("refuses the options %j", async (options, message) => {
    await expect(written(FRAME, options as never)).rejects.toThrow(message);
  });

  test("refuses options that it has not", async () => {
    await expect(show(FRAME, { rows: 5 } as never)).rejects.toThrow('heldRows, got "rows"');
  });
});

describe("show() in a notebook", () => {
  function fakeKernel() {
    const sent: KernelMessage[] = [];
    const broadcast = (message: KernelMessage) => Promise.resolve(void sent.push(message));
    const bundles = () => sent.map((message) => message.type === "error" ? {} : message.data);
    return { output: { kernel: { broadcast }, write: () => {} }, bundles };
  }

  test("sends a frame, a text and a number itself", async () => {
    const { output, bundles } = fakeKernel();
    await showOn(output, FRAME);
    await showOn(output, "a <text>");
    await showOn(output, 0);
    expect(bundles().map((data) => Object.keys(data))).toEqual([
      ["text/html", "text/plain"],
      ["text/html", "text/plain"],
      ["text/html", "text/plain"],
    ]);
    expect(bundles()[1]?.["text/plain"]).toBe("a <text>");
    expect(bundles()[2]?.["text/plain"]).toBe("0");
  });

  test("sends text that a notebook breaks between words, and whose lines and spaces stay", async () => {
    const { output, bundles } = fakeKernel();
    await showOn(output, "a <text>\n  of two lines");
    expect(bundles()[0]?.["text/html"]).toMatch(
      /^<pre style="[^"]*white-space:pre-wrap;word-break:normal;[^"]*">a &lt;text&gt;\n {2}of two lines<\/pre>$/,
    );
  });

  test("sends the frames in an array as tables, and keys as text and never as markup", async () => {
    const { output, bundles } = fakeKernel();
    await showOn(output, { "<b>": FRAME, "note": "a <text>" });
    const html = String(bundles()[0]?.["text/html"]);
    expect(html).toContain("<table");
    expect(html).toContain("&lt;b&gt;");
    expect(html).toContain(">a &lt;text&gt;</pre>");
  });

  test("shows a picture inside an object at its size", async () => {
    const { output, bundles } = fakeKernel();
    const picture = { "image/png": "AAAA", "text/plain": 'a "chart"' };
    const chart = {
      [Symbol.for("Jupyter.display")]: () =>
        withMetadata(picture, { "image/png": { width: 300, height: 200 } }),
    };
    await showOn({ ...output, kernel: { ...output.kernel, settlesCells: true } }, { chart });
    expect(bundles()[0]?.["text/html"]).toContain(
      '<img alt="a &quot;chart&quot;" width="300" src="data:image/png;base64,AAAA">',
    );
  });

  test("sends nothing after what has sent itself", async () => {
    const { output, bundles } = fakeKernel();
    await showOn(output, { [Symbol.for("Jupyter.display")]: () => ({}) });
    expect(bundles()).toEqual([]);
  });
});
