import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isCode } from "../../../base/disk/files.ts";
import { replaceFile } from "../../../base/disk/replace_file.ts";
import type { WorldTruth } from "./truth.ts";

// Written last, so a folder without it holds an interrupted world.
const TRUTH_FILE = "truth.json";

/** Reads the true parameters of a world's closes; `null` if the world is unfinished. */
export async function readTruth(folder: string): Promise<WorldTruth | null> {
  try {
    return JSON.parse(await readFile(join(folder, TRUTH_FILE), "utf8")) as WorldTruth;
  } catch (error) {
    if (isCode(error, "ENOENT")) return null;
    throw error;
  }
}

/** Writes the true parameters of a world's closes, which marks the world as finished. */
export async function writeTruth(folder: string, truth: WorldTruth): Promise<void> {
  const text = `${JSON.stringify(truth, null, 2)}\n`;
  await replaceFile(join(folder, TRUTH_FILE), (path) => writeFile(path, text));
}
