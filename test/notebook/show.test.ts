import pl from "nodejs-polars";
import { describe, expect, test } from "vitest";
import type { KernelMessage } from "../../src/notebook/kernel/kernel.ts";
import { show, type ShowOptions } from "../../src/notebook/show.ts";

const FRAME = pl.DataFrame({ ticker: ["NA"], n: [1] });
const TABLE = "1 row × 2 columns\nticker    n\nstr     f64\nNA        1\n\n";

async function written(content: unknown, options: ShowOptions = {}): Promise<string> {
  let text = "";
  await show(content as object, { ...options, write: (part) => void (text += part) });
  return text;
}

describe("show() outside a notebook", () => {
  test("writes a frame, a text, and a load that was not awaited", async () => {
    expect(await written(FRAME)).toBe(TABLE);
    expect(await written("a text")).toBe("a text\n\n");
    expect(await written(Promise.resolve(FRAME))).toBe(TABLE);
  });

  test("writes the text of what displays itself", async () => {
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
    [undefined, "nothing"],
    [null, "null"],
    [5, "5"],
    [[1, 2], "an array of 2"],
    [{ a: 1 }, "an object with the fields a"],
    [FRAME.lazy(), "a lazy frame; await frame.collect() gives a frame"],
    [FRAME.getColumn("n"), "a Series; series.toFrame() gives a frame"],
  ])("refuses what it cannot show, and says what it got (%#)", async (content, found) => {
    await expect(written(content)).rejects.toThrow(
      "Cannot show it: a frame, a text or a result that displays itself is required, " +
        `got ${found}`,
    );
  });

  test.each([
    [{ edgeRows: 0 }, "edgeRows must be a whole number of at least 1, or Infinity, got 0"],
    [{ edgeRows: 1.5 }, "edgeRows must be"],
    [{ maxColumns: NaN }, "maxColumns must be"],
    [
      { maxTextLength: "40" },
      'maxTextLength must be a whole number of at least 1, or Infinity, got "40"',
    ],
    [{ rows: 5 }, 'maxTextLength, got "rows"'],
  ])("refuses the options %j", async (options, message) => {
    await expect(written(FRAME, options as never)).rejects.toThrow(message);
  });
});

describe("show() in a notebook", () => {
  test("sends a frame and a text itself", async () => {
    const sent: KernelMessage[] = [];
    const kernel = {
      broadcast: (message: KernelMessage) => Promise.resolve(void sent.push(message)),
    };
    await show(FRAME, { kernel });
    await show("a <text>", { kernel });
    expect(sent.map(({ data }) => Object.keys(data))).toEqual([
      ["text/html", "text/plain"],
      ["text/plain"],
    ]);
    expect(sent[1]?.data["text/plain"]).toBe("a <text>");
  });

  test("sends nothing after what has sent itself", async () => {
    const sent: KernelMessage[] = [];
    const kernel = {
      broadcast: (message: KernelMessage) => Promise.resolve(void sent.push(message)),
    };
    await show({ [Symbol.for("Jupyter.display")]: () => ({}) }, { kernel });
    expect(sent).toEqual([]);
  });
});
