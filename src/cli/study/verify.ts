import process from "node:process";
import { createProgress } from "../../notebook/kernel/progress.ts";
import { readLockFile } from "../../study/lock/lock_file.ts";
import { editWords } from "../../study/run/explain_cells.ts";
import { parseParameter } from "../../study/run/parameters.ts";
import type { CellDifference, RunReport } from "../../study/run/run_notebooks.ts";
import { type StudyReport, verifyStudy } from "../../study/verify/verify_study.ts";
import type { Terminal } from "../terminal.ts";
import { type StudyArguments, type StudyCommand, studyFolder } from "./study_command.ts";
import { commandLine } from "../../runtime/command_line.ts";

/** `study verify`: whether a study is sound. */
export const VERIFY: StudyCommand = {
  does: "whether a study is sound: store, lock, and with --run its notebooks",
  help: `usage: ${commandLine()} study verify [STUDY] [--run] [-p NAME=VALUE]... [--json]

Reads a study from end to end: the store is whole, each line of study.lock.json is what the store has,
and each number is the one that was published. Names each file and each line that is not; what differs
and does no harm, such as another version of Polars, is said as well. Changes and sends nothing.

  --run           execute the notebooks frozen and without the network, in the Deno kernel through
                  Jupyter, and compare what each cell shows: it runs their code with your rights, so
                  read it first; without --run nothing of the study is executed
  -p NAME=VALUE   another value for what a cell tagged "parameters" declares (with --run); what then
                  differs is told and counts as meant

Of a study that you were given, name the folder from your own project: in that folder, deno task would
run the tasks of its deno.json.

  ${commandLine()} study verify momentum --run -p periods=21`,
  words: 1,
  options: {
    run: { type: "boolean" },
    parameter: { type: "string", short: "p", multiple: true },
  },
  run: async (args, terminal) => {
    const folder = await studyFolder(args.words[0]);
    const isJson = args.values.json === true;
    const parameters = readParameters(args);
    const enabled = !isJson && process.stderr.isTTY === true;
    const progress = createProgress("Verifying", { enabled });
    const report = await verifyStudy(folder, (done, total) => progress.update({ done, total }));
    await progress.finish();
    if (!isJson) reportStudy(report, terminal);
    const run = args.values.run === true
      ? await runAll(folder, parameters, isJson ? () => {} : terminal.out)
      : null;
    const { notes } = report;
    if (isJson) terminal.out(JSON.stringify(run === null ? report : { ...report, run }, null, 1));
    else if (run !== null) {
      reportRun(
        run,
        notes.map(({ path, says }) => `${path}: ${says}`),
        terminal,
      );
    }
    const isMeant = Object.keys(parameters).length > 0;
    const differs = run !== null && run.differences.length > 0;
    const hasFailed = run?.differences.some(({ where }) => where.includes("error")) === true;
    return report.problems.length > 0 || (isMeant ? hasFailed : differs) ? 1 : 0;
  },
};

function readParameters({ values }: StudyArguments): Readonly<Record<string, unknown>> {
  const given = (values.parameter ?? []) as readonly string[];
  if (given.length > 0 && values.run !== true) {
    throw new RangeError(
      "Cannot use -p: expected --run with it, which runs the notebooks, got none; add --run",
    );
  }
  return Object.fromEntries(given.map(parseParameter));
}

async function runAll(
  folder: string,
  parameters: Readonly<Record<string, unknown>>,
  say: (line: string) => void,
): Promise<RunReport> {
  const { lock } = (await readLockFile(folder))!;
  // Jupyter is looked for by this alone.
  const { runNotebooks } = await import("../../study/run/run_notebooks.ts");
  const onNotebook = (path: string, cells: number, isBorrowed: boolean) => {
    const library = isBorrowed ? ", with this scoreframe because its project has none" : "";
    say(`running the ${cells} cells of ${path}, frozen and without the network${library}`);
  };
  return await runNotebooks(folder, { parameters, ignore: lock.ignore, onNotebook });
}

function reportStudy({ compared, problems, notes }: StudyReport, terminal: Terminal): void {
  for (const { path, says } of problems) terminal.error(`${path}: ${says}`);
  for (const { path, says } of notes) terminal.out(`${path}: ${says}`);
  const { sets, views, releases } = compared;
  const verdict = problems.length === 0 ? "sound" : `${problems.length} problems`;
  terminal.out(`${sets} sets, ${views} views, ${releases} releases: ${verdict}`);
}

function reportRun(run: RunReport, notes: readonly string[], terminal: Terminal): void {
  for (const difference of run.differences) terminal.error(differenceText(difference));
  for (const edit of run.edited) {
    if (run.differences.some((known) => isSameCell(known, edit))) continue;
    const { notebook, cell, code, since } = edit;
    terminal.out(
      `${notebook}, cell ${cell} (${code}): ${
        editWords(edit)
      } since ${since}: harmless, it shows the same`,
    );
  }
  const { length } = run.differences;
  const verdict = length === 0
    ? "each shows what it was committed with"
    : `${length} ${length === 1 ? "shows" : "show"} something else`;
  terminal.out(`${run.cells} cells of ${run.notebooks.length} notebooks: ${verdict}`);
  if (length === 0 || notes.length === 0) return;
  terminal.out(`what else differs in the study: ${notes.join("; ")}`);
}

function isSameCell(a: CellPlace, b: CellPlace): boolean {
  return a.notebook === b.notebook && a.cell === b.cell;
}

type CellPlace = Pick<CellDifference, "notebook" | "cell">;

function differenceText(difference: CellDifference): string {
  const { notebook, cell, code, where, expected, found, explanation } = difference;
  const why = explanation ?? "neither an export nor git tells whether it was edited";
  return `${notebook}, cell ${cell} (${code}): ${where}: expected ${expected}, found ${found}; ${why}`;
}
