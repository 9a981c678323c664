import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CELLS_FILE, encodeCells, recordCells } from "../../../src/study/run/cell_record.ts";
import { explainCell, findEdits, recordedCells } from "../../../src/study/run/explain_cells.ts";
import type { NotebookCell, NotebookFile } from "../../../src/study/run/notebook_file.ts";

const PATH = "notebooks/a.ipynb";
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "scoreframe-cells-"));
});
afterEach(() => rm(folder, { recursive: true }));

function cellOf(id: string, source: string, text: string): NotebookCell {
  const outputs = text === "" ? [] : [{ output_type: "stream", text }];
  return { cell_type: "code", id, source, outputs };
}

const A = cellOf("a", "const rows = 3;\nrows", "");
const B = cellOf("b", "console.log(rows)", "3\n");
const C = cellOf("c", "console.log(1)", "1\n");
const TEXT: NotebookCell = { cell_type: "markdown", source: "# Title" };

/** Records cells as an export does. */
const record = (...cells: NotebookCell[]) =>
  writeFile(
    join(folder, CELLS_FILE),
    encodeCells(PATH, recordCells({ cells: [TEXT, ...cells] })),
  );

/** What is said of the cells of a notebook, by their numbers. */
async function explained(...cells: NotebookCell[]): Promise<(number: number) => string | null> {
  const recorded = await recordedCells(folder, PATH);
  const notebook: NotebookFile = { cells: [TEXT, ...cells] };
  const edits = recorded && findEdits(notebook, recorded);
  return (cell) => explainCell(cell, edits);
}

const edited = (cell: NotebookCell, source: string) => ({ ...cell, source });

describe("what explains that a cell shows something else", () => {
  test("is unknown without an export", async () => {
    expect((await explained(A, B))(3)).toBeNull();
  });

  test("is the cell whose code was edited since the export", async () => {
    await record(A, B, C);
    const why = await explained(
      edited(A, "const rows = 4;"),
      B,
      cellOf("c", "console.log(1)", "2\n"),
    );
    const a = "cell 2's code was edited since the export";
    expect(why(2)).toBe("its code was edited since the export");
    expect(why(3)).toBe(a);
    expect(why(4)).toBe(`its output was edited since the export, ${a}`);
    expect((await explained(A, B, C))(4)).toBe(
      "neither it nor an earlier cell was edited since the export",
    );
  });

  test("names cells that were added or removed, wherever the others then stand", async () => {
    await record(A, B, C);
    const added = await explained(cellOf("new", "let x;", ""), A, B, C);
    expect(added(4)).toBe("cell 2 was added since the export");
    const removed = await explained(B, C);
    expect(removed(2)).toBe("1 of the notebook's cells were removed since the export");
  });

  test("tells a tag that was given or taken from an output that was edited", async () => {
    const volatile = (cell: NotebookCell) => ({ ...cell, metadata: { tags: ["volatile"] } });
    await record(A, B);
    expect((await explained(A, volatile(B)))(3)).toBe(
      "its tag volatile was edited since the export",
    );
    const other = volatile(cellOf("b", "console.log(rows)", "4\n"));
    expect((await explained(A, other))(3)).toBe(
      "its output and its tag volatile were edited since the export",
    );
    await record(A, volatile(B));
    expect((await explained(A, B))(3)).toBe(
      "its output or its tag volatile was edited since the export",
    );
    expect((await explained(A, volatile(B)))(3)).toContain("neither it nor");
  });

  test("does not count line ends, how a text is split, numbers of runs, and volatile outputs", () => {
    const volatile = { ...cellOf("v", "Math.random()", "0.1"), metadata: { tags: ["volatile"] } };
    const before = recordCells({ cells: [A, B, volatile] });
    const after = recordCells({
      cells: [
        edited(A, "const rows = 3;\r\nrows\n"),
        { ...B, outputs: [{ output_type: "stream", text: ["3", "\n"] }] },
        { ...volatile, outputs: [{ output_type: "stream", text: "0.2" }] },
      ],
    });
    expect(after).toEqual(before);
  });

  test("takes a record that was edited by hand for none", async () => {
    await writeFile(join(folder, CELLS_FILE), `%%% ${PATH}\n0123456789abcdef - % ${PATH}\n`);
    expect((await explained(A))(2)).toBeNull();
  });
});
