import { Store } from "../../base/store/store.ts";
import { verifyStore } from "../../base/store/verify_store.ts";
import { countText } from "../../base/wording/number_text.ts";
import { HELP_OPTION, parseArguments } from "./parse_arguments.ts";
import { byLine, type Terminal } from "./terminal.ts";
import { commandLine } from "../../base/runtime/command_line.ts";

const HELP = `usage: ${commandLine()} verify FOLDER

Reads a whole store (names, hashes, counts, references, order) and names every damaged file.
A Parquet file that a load left beside a release is compared with the release, row by row.
api.store is the folder of a connection's store. Changes nothing; exits with 1 if a file is damaged.`;

/** Runs `verify`: reads a whole store and lists its damaged files. */
export async function runVerify(args: string[], terminal: Terminal): Promise<number> {
  const rules = { allowPositionals: true, options: HELP_OPTION };
  const { values, positionals } = parseArguments(args, rules);
  const [folder] = positionals;
  if (values.help === true || folder === undefined || positionals.length > 1) {
    (values.help === true ? terminal.out : terminal.error)(HELP);
    return values.help === true ? 0 : 2;
  }
  const store = await Store.open(folder);
  const { sets, checks, views, releases, leftovers, problems: found } = await verifyStore(store);
  // Loads Polars, which other commands do not need.
  const { verifyDerived } = await import("../../client/release/verify_derived.ts");
  const problems = [...found, ...await verifyDerived(store)];
  const lines = byLine(terminal);
  for (const { path, problem } of problems) lines.error(`${path}: ${problem}`);
  for (const path of leftovers) {
    lines.out(`${path}: left behind by an interrupted process, harmless`);
  }
  terminal.out(
    `${countText(sets, "set")}, ${countText(checks, "check")}, ${countText(views, "view")}, ` +
      `${countText(releases, "release")}: ` +
      (problems.length === 0 ? "sound" : countText(problems.length, "problem")),
  );
  return problems.length === 0 ? 0 : 1;
}
