import { describe, expect, test } from "vitest";
import { compareOutputs } from "../../../src/study/run/compare_outputs.ts";
import type { NotebookOutput } from "../../../src/study/run/notebook_file.ts";

const OPTIONS = { tolerance: 1e-9, ignore: ["request [0-9a-f-]{36}"] };

const shows = (data: Record<string, unknown>): NotebookOutput => ({
  output_type: "display_data",
  data,
});
const prints = (text: string): NotebookOutput => ({ output_type: "stream", text });
const difference = (
  expected: NotebookOutput | NotebookOutput[],
  found: NotebookOutput | NotebookOutput[],
) => compareOutputs([expected].flat(), [found].flat(), OPTIONS);

describe("outputs are compared by what they are", () => {
  test("text: numbers within the tolerance, white space of any width, the rest as it stands", () => {
    expect(difference(prints("mean 0.1"), prints("mean   0.10000000000001"))).toBeNull();
    expect(difference(prints("mean 0.1\n"), [prints("mean "), prints("0.1")])).toBeNull();
    expect(difference(prints("a\nmean 0.1"), prints("a\nmean 0.1001"))).toEqual({
      where: "output 1, text/plain",
      expected: "mean 0.1",
      found: "mean 0.1001",
    });
    expect(difference(prints("null"), prints("0"))).not.toBeNull();
    expect(difference(prints("1 row"), prints("1 rows"))).not.toBeNull();
    // A line that is near enough is not the one that differs.
    expect(difference(prints("0.1\nb 2"), prints("0.10000000000001\nb 3"))).toMatchObject({
      expected: "b 2",
      found: "b 3",
    });
  });

  test("a failure where there was none, whatever else differs, and no column that is named an error", () => {
    const fails: NotebookOutput = { output_type: "error", ename: "Error", evalue: "no closes" };
    expect(difference(prints("1"), fails)?.isFailure).toBe(true);
    expect(
      difference([shows({ "text/plain": "1" }), shows({ "text/plain": "2" })], fails)?.isFailure,
    ).toBe(true);
    const json = (standard_error: number) => shows({ "application/json": { standard_error } });
    expect(difference(json(1), json(2))).toMatchObject({
      where: expect.stringContaining("standard_error"),
    });
    expect(difference(json(1), json(2))?.isFailure).toBeUndefined();
  });

  test("what a progress display leaves when it ends: nothing, unlike a chart without text", () => {
    const left = shows({ "text/html": [], "text/plain": [] });
    expect(difference([left, prints("1 row")], prints("1 row"))).toBeNull();
    const chart = shows({ "application/vnd.vegalite.v5+json": { mark: "bar" } });
    expect(difference([chart, prints("1 row")], prints("1 row"))).not.toBeNull();
  });

  test("long lines: shown where they differ", () => {
    const line = (word: string) => prints(`${"a ".repeat(200)}${word}${" z".repeat(200)}`);
    const { expected, found } = difference(line("before"), line("after"))!;
    expect(expected).toMatch(/^….*a before z.*…$/);
    expect(found).toMatch(/^….*a after z.*…$/);
    expect(expected.length).toBe(122);
  });

  test("tables: cell by cell, with the place of the first that differs", () => {
    const table = (score: string) =>
      shows({
        "text/html": `<table><tr><th>ticker</th><th>score</th></tr>` +
          `<tr><td>A</td><td style="x">${score}</td></tr></table>`,
      });
    expect(difference(table("0.5"), table("<b>0.50000000000001</b>"))).toBeNull();
    expect(difference(table("0.5"), table("0.6"))).toEqual({
      where: "output 1, table row 2, column 2",
      expected: "0.5",
      found: "0.6",
    });
    expect(difference(table("0.5"), shows({ "text/html": "<p>none</p>" }))?.where)
      .toBe("output 1, table");
  });

  test("tables: when something was received does not count, by row or by column", () => {
    const row = (...cells: string[]) =>
      `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
    const table = (...rows: string[]) => shows({ "text/html": `<table>${rows.join("")}</table>` });
    const columns = (value: string, time: string) =>
      table(row("score", "retrieved_at"), row(value, time));
    expect(difference(columns("0.5", "09:00"), columns("0.5", "10:00"))).toBeNull();
    expect(difference(columns("0.5", "09:00"), columns("0.6", "10:00"))?.found).toBe("0.6");
    const rows = (time: string, status: string) =>
      table(row("retrieved_at", time), row("status", status));
    expect(difference(rows("09:00", "current"), rows("10:00", "current"))).toBeNull();
    expect(difference(rows("09:00", "current"), rows("10:00", "stale"))?.found).toBe("stale");
  });

  test("charts: by structure and data, with the path of the first that differs", () => {
    const type = "application/vnd.vegalite.v5+json";
    const chart = (y: number, mark = "line") =>
      shows({ [type]: { mark, data: { values: [{ x: 1, y: 0.5 }, { x: 2, y }] } } });
    expect(difference(chart(0.25), chart(0.25 + 1e-12))).toBeNull();
    expect(difference(chart(0.25), chart(0.26))).toEqual({
      where: `output 1, ${type} $.data.values[1].y`,
      expected: "0.25",
      found: "0.26",
    });
    expect(difference(chart(0.25), chart(0.25, "bar"))?.where).toContain("$.mark");
    const more = shows({ [type]: { mark: "line", data: { values: [{ x: 1, y: 0.5 }] } } });
    expect(difference(chart(0.25), more)?.where).toContain("values[1]");
  });

  test("pictures: by presence and size", () => {
    const png = (width: number, content: number) => {
      const bytes = new Uint8Array(40).fill(content);
      new DataView(bytes.buffer).setUint32(16, width);
      new DataView(bytes.buffer).setUint32(20, 300);
      return shows({ "image/png": bytes.toBase64() });
    };
    expect(difference(png(400, 1), png(400, 2))).toBeNull();
    expect(difference(png(400, 1), png(500, 1))).toMatchObject({
      expected: "400 × 300 pixels",
      found: "500 × 300 pixels",
    });
    expect(difference(png(400, 1), shows({ "text/plain": "x" }))).not.toBeNull();
  });

  test("errors: by name and message, and a missing output is told", () => {
    const error = (evalue: string): NotebookOutput => ({
      output_type: "error",
      ename: "TypeError",
      evalue,
    });
    expect(difference(error("a"), error("a"))).toBeNull();
    expect(difference(error("a"), error("b"))?.where).toBe("output 1, error");
    expect(difference([prints("1")], [])).toEqual({
      where: "number of outputs",
      expected: "1 (text/plain)",
      found: "0 (none)",
    });
    expect(difference([prints("1")], [prints("1"), error("late")])?.found).toContain("late");
    const empty = { output_type: "execute_result", data: {} };
    expect(difference([prints("1")], [prints("1"), empty])).toBeNull();
  });

  test("ignoring declared patterns, the source of an answer and the mode of a study", () => {
    const id = () => `request ${crypto.randomUUID()} failed`;
    expect(difference(prints(id()), prints(id()))).toBeNull();
    const caption = (source: string) => prints(`set 1 · ${source}, synthetic\nticker`);
    expect(difference(caption("live"), caption("store"))).toBeNull();
    const cell = (source: string) => shows({ "text/html": `<tr><td>${source}</td></tr>` });
    expect(difference(cell("embedded"), cell("store"))).toBeNull();
    expect(difference(prints("mode  auto"), prints("mode frozen"))).toBeNull();
    expect(difference(prints("a live wire"), prints("a store wire"))).not.toBeNull();
  });

  test("a table that shows the mode of a study does not differ for it", () => {
    const study = (mode: string) =>
      shows({
        "text/html":
          `<table><tr><th>mode</th><th>${mode}</th></tr><tr><td>sets</td><td>3</td></tr></table>`,
      });
    expect(difference(study("auto"), study("frozen"))).toBeNull();
    expect(difference(study("auto"), study("other"))).not.toBeNull();
  });

  test("what was not compared is counted: pictures with other content, and what a pattern matched", () => {
    const png = (byte: string) =>
      shows({ "image/png": btoa(`\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x02\0\0\0\x02${byte}`) });
    const tally = { pictures: 0, isIgnored: false };
    const options = { ...OPTIONS, tally };
    expect(compareOutputs([png("a")], [png("a")], options)).toBeNull();
    expect(tally).toEqual({ pictures: 0, isIgnored: false });
    expect(compareOutputs([png("a")], [png("b")], options)).toBeNull();
    expect(tally).toEqual({ pictures: 1, isIgnored: false });
    const id = () => prints(`request ${crypto.randomUUID()} failed`);
    expect(compareOutputs([id()], [id()], options)).toBeNull();
    expect(tally.isIgnored).toBe(true);
  });

  test("neither a pattern nor an output of a stranger takes for ever", () => {
    const long = prints(`${"a".repeat(200_000)}!`);
    const hostile = { tolerance: 1e-9, ignore: ["(a+)+$", "(a|a)*b"] };
    expect(compareOutputs([long], [long], hostile)).toBeNull();
    for (const piece of ["<td", "<td>", "<tr>", "<style>", "<", "<!--"]) {
      const html = shows({ "text/html": piece.repeat(200_000) });
      expect(compareOutputs([html], [html], OPTIONS), piece).toBeNull();
    }
    const lookAround = { tolerance: 1e-9, ignore: ["(?=a)"] };
    expect(() => compareOutputs([prints("a")], [prints("b")], lookAround)).toThrow(
      /pattern "\(\?=a\)": .*look-around/,
    );
  });
});
