import { Store } from "../../base/store/store.ts";
import { verifyStore } from "../../base/store/verify_store.ts";
import { countText } from "../../base/wording/number_text.ts";
import { command } from "./command.ts";
import { byLine, type Terminal } from "./terminal.ts";

const ABOUT =
  `Reads a whole store (names, hashes, counts, references, order) and names every damaged file.
A Parquet file that a load left beside a release is compared with the release, row by row.
api.store is the folder of a connection's store. Changes nothing; exits with 1 if a file is damaged.`;

/** `verify`: reads a whole store and lists its damaged files. */
export const runVerify = command({
  usage: ["verify FOLDER"],
  about: ABOUT,
  options: {},
  words: [1, 1],
  run: ({ words: [folder], terminal }) => verify(folder!, terminal),
});

async function verify(folder: string, terminal: Terminal): Promise<number> {
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
