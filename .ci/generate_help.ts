/**
 * Writes what `help()` shows into `src/client/help/entries.json`, and what an assistant is given into `docs/llms.txt`:
 * `deno task generate help`. A test fails when the documentation of the code, or docs/assistants.md, has changed and this was
 * not run.
 *
 * @module
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { readHelpEntries } from "./_help_entries.ts";
import { llmsText } from "./_llms_text.ts";

const ROOT = join(import.meta.dirname!, "..");

const entries = readHelpEntries();
const help = join(ROOT, "src", "client", "help", "entries.json");
await writeFile(help, `${JSON.stringify(entries, null, 2)}\n`);
const text = llmsText(await readFile(join(ROOT, "docs", "assistants.md"), "utf8"), entries);
await writeFile(join(ROOT, "docs", "llms.txt"), text);
process.stdout.write(
  `Wrote the help of ${entries.length} verbs and functions, and ${text.length} characters for an assistant\n`,
);
