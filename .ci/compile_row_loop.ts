/**
 * Compiles the loop over rows of a release file: `deno task generate rowloop`. The result is committed; a test compares it.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import asc from "assemblyscript/asc";

const FOLDER = join(import.meta.dirname!, "../src/frames/frame/release_file");
const SOURCE = "row_loop.as";
const TARGET = join(FOLDER, "_row_loop_code.ts");

/** Module with the compiled loop, as it is to be committed. */
export async function compileRowLoop(): Promise<string> {
  const source = await readFile(join(FOLDER, SOURCE), "utf8");
  const written = new Map<string, Uint8Array | string>();
  // Constants stand between the state and the slice, as row_memory.ts lays them out.
  const options = ["--memoryBase", "1024", "--initialMemory", "1", "--importMemory"];
  const { error, stderr } = await asc.main(
    ["row_loop.ts", "-o", "row_loop.wasm", "-O3", "--runtime", "stub", "--noAssert", ...options],
    {
      readFile: (name) => name === "row_loop.ts" ? source : null,
      writeFile: (name, content) => void written.set(name, content),
      listFiles: () => [],
    },
  );
  if (error !== null) {
    throw new Error(`Cannot compile ${SOURCE}: expected no error, got ${stderr.toString()}`);
  }
  const code = Buffer.from(written.get("row_loop.wasm") as Uint8Array).toString("base64");
  const lines = code.match(/.{1,88}/g)!.map((line) => `  "${line}"`);
  return `/** WebAssembly of \`${SOURCE}\` in base64, written by \`deno task generate rowloop\`. */\n` +
    `export const ROW_LOOP_CODE: string =\n${lines.join(" +\n")};\n`;
}

if (import.meta.main) {
  await writeFile(TARGET, await compileRowLoop());
  process.stdout.write(`${TARGET}\n`);
}
