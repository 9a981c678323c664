import { lintNotebook } from "../../study/lint/lint_notebook.ts";
import { findingText, type LintFinding } from "../../study/lint/lint_finding.ts";
import { flags, HELP_OPTION, parseArguments } from "./parse_arguments.ts";
import type { Terminal } from "./terminal.ts";
import { commandLine } from "../../base/runtime/command_line.ts";
import { countText } from "../../base/wording/number_text.ts";

const HELP = `usage: ${commandLine()} lint NOTEBOOK... [--json]

Finds the hidden state of Jupyter notebooks in their code, without running it: names that no cell or only a later
cell defines, names that two cells define, values that change with each run, outputs older than their inputs, cells
that ran in another order, promises that are not awaited, a demo in a study of a service, and dates after the
study's time. Exits with 1 if there is a finding.

  --json   findings as one JSON object by notebook`;

/** Runs `lint`: lists the hidden state of notebooks. */
export async function runLint(args: string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parseArguments(args, {
    allowPositionals: true,
    options: { ...HELP_OPTION, ...flags("json") },
  });
  if (values.help === true || positionals.length === 0) {
    (values.help === true ? terminal.out : terminal.error)(HELP);
    return values.help === true ? 0 : 2;
  }
  const found: Record<string, readonly LintFinding[]> = {};
  for (const path of positionals) found[path] = await lintNotebook(path);
  const count = Object.values(found).flat().length;
  if (values.json === true) terminal.out(JSON.stringify(found, null, 1));
  else {
    for (const [path, findings] of Object.entries(found)) {
      for (const finding of findings) terminal.out(`${path}, ${findingText(finding)}`);
    }
    const verdict = count === 0 ? "no hidden state" : countText(count, "finding");
    terminal.out(`${countText(positionals.length, "notebook")}: ${verdict}`);
  }
  return count === 0 ? 0 : 1;
}
