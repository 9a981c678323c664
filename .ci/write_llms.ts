/**
 * Writes what an assistant is given into `docs/llms.txt`: `deno task generate llms`. A test fails when the help or the page of
 * assistants has changed and this was not run.
 *
 * @module
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { llmsText } from "./_llms_text.ts";

const ROOT = join(import.meta.dirname!, "..");

const page = await readFile(join(ROOT, "docs/assistants.md"), "utf8");
const entries = await readFile(join(ROOT, "src/client/help/entries.json"), "utf8");
const text = llmsText(page, JSON.parse(entries));
await writeFile(join(ROOT, "docs/llms.txt"), text);
process.stdout.write(`Wrote docs/llms.txt, ${new TextEncoder().encode(text).length} bytes\n`);
