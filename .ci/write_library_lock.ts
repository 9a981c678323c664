/**
 * Writes `.ci/library.lock` from `deno.lock`: what the library needs, without what only its tests need.
 *
 * @module
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { libraryLock } from "./_library_lock.ts";

const ROOT = join(import.meta.dirname!, "..");
const { dependencies } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
const lock = libraryLock(JSON.parse(await readFile(join(ROOT, "deno.lock"), "utf8")), dependencies);
await writeFile(join(ROOT, ".ci/library.lock"), `${JSON.stringify(lock, null, 2)}\n`);
process.stdout.write(`.ci/library.lock: ${Object.keys(lock.npm).length} packages\n`);
