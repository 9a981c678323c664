import { Store } from "../store/store.ts";
import { verifyStore } from "../store/verify_store.ts";
import { parseArguments } from "./parse_arguments.ts";
import type { Terminal } from "./terminal.ts";

const HELP = `usage: deno task verify FOLDER

Reads a store from end to end (names, hashes, counts, references, order) and names every damaged file.
The folder of a connection's store is api.store. Changes nothing; exits with 1 if something is wrong.`;

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
  const { sets, checks, views, releases, leftovers, problems } = await verifyStore(
    await Store.open(folder),
  );
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
