import { Store } from "../store/store.ts";
import { verifyStore } from "../store/verify_store.ts";
import { parseArguments } from "./parse_arguments.ts";
import type { Terminal } from "./terminal.ts";
import { commandLine } from "../runtime/command_line.ts";

const HELP = `usage: ${commandLine()} verify FOLDER

Reads a whole store (names, hashes, counts, references, order) and names every damaged file.
A Parquet file that a load left beside a release is compared with the release, row by row.
api.store is the folder of a connection's store. Changes nothing; exits with 1 if a file is damaged.`;

/** Runs `verify`: tells whether a store is sound. */
export async function runVerify(args: string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parseArguments(args, {
    allowPositionals: true,
    options: { help: { type: "boolean", short: "h" } },
  });
  const [folder] = positionals;
  if (values.help === true || folder === undefined || positionals.length > 1) {
    (values.help === true ? terminal.out : terminal.error)(HELP);
    return values.help === true ? 0 : 2;
  }
  const store = await Store.open(folder);
  const { sets, checks, views, releases, leftovers, problems: found } = await verifyStore(store);
  // Polars is loaded for this command alone.
  const { verifyDerived } = await import("../client/release/verify_derived.ts");
  const problems = [...found, ...await verifyDerived(store)];
  for (const { path, problem } of problems) terminal.error(`${path}: ${problem}`);
  for (const path of leftovers) {
    terminal.out(`${path}: left behind by an interrupted writer, harmless`);
  }
  terminal.out(
    `${sets} sets, ${checks} checks, ${views} views, ${releases} releases: ` +
      (problems.length === 0 ? "sound" : countOf(problems.length)),
  );
  return problems.length === 0 ? 0 : 1;
}

function countOf(problems: number): string {
  return problems === 1 ? "1 problem" : `${problems} problems`;
}
