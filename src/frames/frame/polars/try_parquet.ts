import { Buffer } from "node:buffer";
import { readFile, stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { IntegrityError } from "../../../base/errors.ts";
import { runProgram } from "../../../base/runtime/programs.ts";
import type { TriedFile } from "./try_parquet_process.ts";

// Far below what a command line may have.
const MOST_AT_ONCE = 100;
const FOOTER_BYTES = 1 << 20;
const FLAGS = [
  ...["run", "--no-prompt", "--no-lock", "--quiet"],
  ...["--allow-ffi", "--allow-read", "--allow-sys", "--allow-env"],
];
// What was read well stays so as long as the file does.
const readWell = new Set<string>();

/**
 * Reads Parquet files in a process of its own. One in a hundred bits of such a file, if it is flipped, makes Polars end the
 * process that reads it, and nothing can catch that; a start takes a fifth of a second, and a file is read there once.
 *
 * Without the permission to run programs nothing is tried.
 *
 * @throws {IntegrityError} If the reading of a file ended that process
 */
export async function tryParquet(paths: readonly string[]): Promise<void> {
  if (Deno.permissions.querySync({ name: "run" }).state !== "granted") return;
  const states = await Promise.all(
    paths.map(async (path) => ({ path, state: await stateOf(path) })),
  );
  const waiting = states.filter(({ state }) => state !== null && !readWell.has(state));
  for (let from = 0; from < waiting.length; from += MOST_AT_ONCE) {
    const part = waiting.slice(from, from + MOST_AT_ONCE);
    const ended = await endedAt(part.map(({ path }) => path));
    if (ended !== null) throw await unread(part[ended]!.path);
    for (const { state } of part) readWell.add(state!);
  }
}

/** Number of the file at which the process was ended; `null` if it came to its end, or never began. */
async function endedAt(paths: readonly string[]): Promise<number | null> {
  // The package has .js files.
  const extension = import.meta.url.endsWith(".js") ? "js" : "ts";
  const program = fileURLToPath(new URL(`./try_parquet_process.${extension}`, import.meta.url));
  const ended = await runProgram(process.execPath, [
    ...[...FLAGS, program],
    ...paths.map((path) => resolve(path)),
  ]).catch(() => null);
  if (ended === null) return null;
  const lines = ended.out.trim().split("\n");
  // On Windows an abort is a code.
  const isEnded = ended.code === null || ended.code > 1;
  const last = lines.at(-1) ?? "";
  if (!isEnded || last === "") return null;
  const { file }: TriedFile = JSON.parse(last);
  return file;
}

// A file that is not there is told by whoever reads it.
async function stateOf(path: string): Promise<string | null> {
  const found = await stat(path, { bigint: true }).catch(() => null);
  return found === null || !found.isFile()
    ? null
    : `${path} ${found.ino} ${found.size} ${found.mtimeNs}`;
}

/** The error of a file that ends the process: an extension type that Polars does not know, or damage. */
async function unread(path: string): Promise<Error> {
  const name = basename(path);
  const type = extensionOf(await readFile(path));
  if (type !== null) {
    return new TypeError(
      `Cannot read ${name}: expected types that Polars reads, got a column of the type ${type}; the file is whole: write ` +
        "the column as dates or text, such as with df[NAME].dt.to_timestamp()",
    );
  }
  return new IntegrityError(
    `Cannot read ${name}: expected a whole Parquet file, got one whose damage ends the ` +
      "process that reads it; get the file again, or write it anew",
  );
}

/** Name of an Arrow extension type in the schema that a Parquet file keeps as base64; `null` without one. */
function extensionOf(bytes: Buffer): string | null {
  const footer = bytes.subarray(-Math.min(bytes.length, FOOTER_BYTES)).toString("latin1");
  const [, schema = ""] = /ARROW:schema[^A-Za-z0-9/+]*([A-Za-z0-9/+=]{40,})/.exec(footer) ?? [];
  const text = Buffer.from(schema, "base64").toString("latin1");
  const at = text.indexOf("ARROW:extension:name");
  if (at === -1) return null;
  // The value of a field stands before or behind its name.
  return /[a-z][a-z0-9]*(\.[a-z0-9_]+)+/.exec(text.slice(Math.max(0, at - 60), at + 120))?.[0] ??
    "an extension";
}
