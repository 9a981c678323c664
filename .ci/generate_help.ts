/**
 * Writes what `api.help()` shows into `src/client/help/entries.json`: `deno task generate help`. A test fails when the
 * documentation of the code has changed and this was not run.
 *
 * @module
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { readHelpEntries } from "./_help_entries.ts";

const FILE = join(import.meta.dirname!, "..", "src", "client", "help", "entries.json");

const entries = readHelpEntries();
await writeFile(FILE, `${JSON.stringify(entries, null, 2)}\n`);
process.stdout.write(`Wrote the help of ${entries.length} verbs and functions\n`);
