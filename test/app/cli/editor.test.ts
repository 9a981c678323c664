// @heavy: a language server
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LanguageServer, type Position } from "../../helpers/editor/language_server.ts";
import { ROOT } from "../../helpers/source_files.ts";

const CELL = `import { demo } from "scoreframe";
import { analyzeFactor, rankIc } from "scoreframe/analysis";

const api = await demo();
const scores = await api.scores("ecpnd", {  });
const panel = await api.panel("ecpnd", { at: [],  });
const history = await api.history("ecqdi");
const published = await api.publications("ecpnd", { from: "2026-11-01", to: "2026-11-20",  });
const factors = await api.factors();
scores.getColumn("");
panel.getColumn("");
history.getColumn("");
published.getColumn("");
factors.getColumn("");
scores.getColumn("ecpnd_scores");
await api.panel("ecpnd", { att: [] });
`;

const PROVENANCE = ["factor", "factor_version", "snapshot_id", "status", "source", "retrieved_at"];

/** The place behind a text in the cell. */
function behind(text: string): Position {
  const before = CELL.slice(0, CELL.indexOf(text) + text.length).split("\n");
  return { line: before.length - 1, character: before.at(-1)!.length };
}

const file = (path: string) => pathToFileURL(join(ROOT, path)).href;
const NOTEBOOK = file("notebooks/draft.ipynb");

const DRAFT = file("notebooks/draft.ts");
const VSCODE_CELL = NOTEBOOK.replace("file:", "vscode-notebook-cell:");

// One server has a file and a cell of VS Code open, and checks the library once for both; the other is what the entry of
// JupyterLab starts. Both check it at once.
let editor: LanguageServer;
let lab: LanguageServer;
beforeAll(async () => {
  [editor, lab] = await Promise.all([
    LanguageServer.start(ROOT),
    LanguageServer.start(join(ROOT, "notebooks"), [
      "run",
      "-A",
      join(ROOT, "src/app/cli/serve_cells.ts"),
    ]),
  ]);
  editor.open(DRAFT, CELL);
  editor.openNotebook(NOTEBOOK, VSCODE_CELL, CELL);
  lab.open(NOTEBOOK, CELL, "x.typescript");
});
afterAll(() => Promise.all([editor, lab].map((server) => server?.[Symbol.asyncDispose]())));

// A file, a cell of VS Code, and what JupyterLab sends to the server of its entry.
describe.concurrent.each([
  ["a file", () => editor, DRAFT],
  ["a cell of VS Code", () => editor, VSCODE_CELL],
  ["cells of JupyterLab", () => lab, NOTEBOOK],
])("deno lsp completes and checks %s", (_where, server, uri) => {
  const offered = (text: string) => server().completions(uri, behind(text));

  test("offers the options of a verb", async () => {
    expect(await offered('scores("ecpnd", { ')).toEqual(
      expect.arrayContaining(["at?", "snapshotId?", "ticker?", "maxAgeMs?", "signal?"]),
    );
    expect(await offered("{ at: [], ")).toEqual(expect.arrayContaining(["sessions?", "delayMs?"]));
  });

  test.each([
    ["scores", ["ticker", "ecpnd_score", ...PROVENANCE]],
    ["panel", ["at", "ticker", "ecpnd_score", "calculated_at", "source", "retrieved_at"]],
    ["history", ["date", "ticker", "ecqdi_score", "factor", "source"]],
    ["published", ["snapshot_id", "superseded_at", "tickers", "scored", "source"]],
    ["factors", ["factor", "score_name", "factor_version", "meaning", "scores", "history"]],
  ])("offers the columns of %s", async (name, columns) => {
    expect(await offered(`${name}.getColumn("`)).toEqual(expect.arrayContaining(columns));
  });

  test("underlines a misspelt column and a misspelt option", async () => {
    const lines = CELL.split("\n");
    const underlined = () =>
      server().found(uri).filter(({ message }) => /att|ecpnd_scores/.test(message))
        .map(({ range: { start, end } }) =>
          lines[start.line]!.slice(start.character, end.character)
        );
    await expect.poll(underlined).toEqual(['"ecpnd_scores"', "att"]);
  });
});
