/**
 * Writes the tables of rules beside the tests of the server from the `// @rule` and `// @silent` tags of the tests.
 *
 * @module
 */
import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import {
  RULES_DOCUMENT,
  tableCells,
  taggedRules,
  withTables,
} from "../test/helpers/source/rules.ts";
import { ROOT } from "../test/helpers/source_files.ts";

const rules = await taggedRules();
const path = join(ROOT, RULES_DOCUMENT);
await writeFile(path, withTables(await readFile(path, "utf8"), tableCells(rules)));
execFileSync(Deno.execPath(), ["fmt", "--quiet", path]);
process.stdout.write(`${RULES_DOCUMENT}: ${rules.length} rules\n`);
