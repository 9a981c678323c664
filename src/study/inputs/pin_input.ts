import { realpath, stat } from "node:fs/promises";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { IntegrityError, ScoreframeError, StorageError } from "../../base/errors.ts";
import { describe } from "../../base/contract/violation.ts";
import { commandLine } from "../../base/runtime/command_line.ts";
import { isInnerPath, LOCK_FILE, type LockedInput } from "../lock/lock.ts";
import type { StudyPlace } from "../study_place.ts";
import { hashFile } from "../../base/disk/hash_file.ts";
import { refuseAddress } from "../../base/arguments/refuse_address.ts";

/**
 * Pins a file of the user's in the lock of a study, or compares it with its line there.
 *
 * @param path Path of the file, relative to the folder of the study
 * @param isAnew Pins a changed file anew instead of refusing it
 * @returns The absolute path
 */
export async function pinInput(place: StudyPlace, path: string, isAnew: boolean): Promise<string> {
  const name = await inputName(place.folder, path);
  const absolute = join(place.folder, ...name.split("/"));
  const lock = await place.pinned();
  const found = { path: name, ...await hashed(absolute, name) };
  const known = (await place.refresh()).inputs.find((input) => input.path === name);
  if (known !== undefined && known.sha256 === found.sha256) return absolute;
  if (place.mode === "frozen") {
    throw known === undefined ? unpinned(place.folder, name, lock.inputs) : changed(known, found);
  }
  if (known !== undefined && !isAnew && place.mode !== "update") throw changed(known, found);
  await place.add({ inputs: [found], repin: true });
  return absolute;
}

/** Path of a file in a lock; `null` for a file outside the study's folder, and for the study's own files. */
export async function inputNameIn(folder: string, path: string): Promise<string | null> {
  const [from, to] = await Promise.all([realFolder(folder), realFolder(resolve(folder, path))]);
  const inside = relative(from, to);
  const name = inside.split(sep).join("/");
  const isOutside = inside === "" || isAbsolute(inside) || name.split("/").includes("..");
  return isOutside || name.startsWith("store/") || name === LOCK_FILE ? null : name;
}

async function inputName(folder: string, path: string): Promise<string> {
  if (typeof path !== "string" || path === "") {
    throw new TypeError(
      `Cannot add an input to the study: expected the path of a file, such as "prices.parquet", ` +
        `got ${describe(path)}`,
    );
  }
  refuseAddress("add an input to the study", path);
  const name = await inputNameIn(folder, path);
  if (name !== null && isInnerPath(name)) return name;
  throw new ScoreframeError(
    name === null
      ? `Cannot add ${path} to the study: expected a file in its folder ${folder}, beside ${LOCK_FILE}, got one elsewhere; ` +
        "copy it there, so that an export includes it"
      : `Cannot add ${describe(name)} to the study: expected a path of at most 400 characters ` +
        "without control characters, colons and backslashes, which a lock can name, got another one; rename the file",
  );
}

// The folder may be a link; a file that does not exist yet has no real path.
async function realFolder(path: string): Promise<string> {
  return await realpath(path).catch(() => path);
}

async function hashed(path: string, name: string) {
  const file = await stat(path).catch((error) => {
    const found = error.code === "ENOENT" ? "no such file" : `"${error.message}"`;
    throw new StorageError(
      `Cannot add ${name} to the study: expected the file ${path}, got ${found}; ask its author for it, ` +
        "because an export may leave inputs out",
      { cause: error },
    );
  });
  if (file.isFile()) return await hashFile(path);
  throw new StorageError(
    `Cannot add ${name} to the study: expected a file, got a folder; pin its files one by one`,
  );
}

function changed(known: LockedInput, found: LockedInput): IntegrityError {
  return new IntegrityError(
    `Cannot use the input ${known.path}: expected the file as pinned, ${words(known)}, got ` +
      `${words(found)}; restore the pinned file, or pin this one with ` +
      `study.input("${known.path}", { repin: true })`,
  );
}

function words({ sha256, sizeBytes }: LockedInput): string {
  return `SHA-256 ${sha256.slice(0, 16)}… of ${sizeBytes} bytes`;
}

function unpinned(folder: string, name: string, known: readonly LockedInput[]): ScoreframeError {
  const others = known.slice(0, 3).map(({ path }) => path).join(", ");
  return new ScoreframeError(
    `Cannot use the input ${name}: expected it in the lock of the frozen study ${folder}, got ` +
      `${others === "" ? "no input there" : others}; a run with SCOREFRAME_STUDY_MODE=auto ` +
      `pins it, and ${commandLine()} study list lists what is pinned`,
  );
}
