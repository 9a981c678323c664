import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { IntegrityError, StorageError } from "../../errors.ts";
import { LOCK_FILE } from "../lock/lock.ts";
import { parseLock } from "../lock/lock_text.ts";
import { MANIFEST, parseManifest } from "./manifest.ts";
import { readZipDirectory, readZipEntry, type ZipEntry } from "./read_zip.ts";
import { refuseEntries } from "./refuse_entries.ts";
import { commandLine } from "../../runtime/command_line.ts";

/** What an import wrote. */
export interface ImportedStudy {
  /** Paths of the files, sorted. */
  readonly files: readonly string[];
  /** Whether the store is among them. */
  readonly hasData: boolean;
}

/**
 * Unpacks an exported study into a new or empty folder. Everything is checked before anything is written, and nothing is
 * executed.
 *
 * @param path Path of the archive
 * @param folder Where the study goes
 * @throws {IntegrityError} If the archive would do harm, or a file in it is not the one that was exported; it is named
 * @throws {StorageError} If the folder holds something
 */
export async function importStudy(path: string, folder: string): Promise<ImportedStudy> {
  const archive = await readFile(path).catch((error) => {
    throw new StorageError(
      `Cannot read ${path}: expected an exported study, got "${error.message}"; name the zip`,
      { cause: error },
    );
  });
  const entries = refuseEntries(readZipDirectory(archive), archive.length);
  const contents = entries.map((entry) =>
    [entry.name, () => readZipEntry(archive, entry)] as const
  );
  assertAsExported(new Map(contents), entries);
  const target = resolve(folder);
  await assertEmpty(target);
  const staging = join(dirname(target), `.${basename(target)}-${crypto.randomUUID()}`);
  try {
    for (const [name, read] of contents) {
      const place = join(staging, ...name.split("/"));
      await mkdir(dirname(place), { recursive: true });
      await writeFile(place, read(), { flag: "wx" });
    }
    await rmdir(target).catch(() => {});
    await rename(staging, target);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
  const files = entries.map(({ name }) => name).sort();
  return { files, hasData: files.includes("store/store.json") };
}

function assertAsExported(
  contents: ReadonlyMap<string, () => Uint8Array>,
  entries: readonly ZipEntry[],
): void {
  const manifest = contents.get(MANIFEST);
  if (manifest === undefined || !contents.has(LOCK_FILE)) {
    const missing = manifest === undefined ? MANIFEST : LOCK_FILE;
    throw new IntegrityError(
      `Cannot import the archive: expected ${missing} in it, got an archive without; write one with ${commandLine()} study export`,
    );
  }
  const expected = parseManifest(new TextDecoder().decode(manifest()));
  const changed: string[] = [];
  for (const [name, sha256] of expected) {
    const read = contents.get(name);
    if (read === undefined) changed.push(`${name} is missing`);
    else if (createHash("sha256").update(read()).digest("hex") !== sha256) {
      changed.push(`${name} was changed`);
    }
  }
  const added = entries.filter(({ name }) => name !== MANIFEST && !expected.has(name));
  changed.push(...added.map(({ name }) => `${name} was added`));
  if (changed.length > 0) {
    throw new IntegrityError(
      `Cannot import the archive: expected each file as it was exported, got ${
        changed.join(", ")
      }; nothing was written, ask for the archive again`,
    );
  }
  parseLock(new TextDecoder().decode(contents.get(LOCK_FILE)!()));
}

async function assertEmpty(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error) => {
    if (error.code === "ENOENT") return [];
    throw new StorageError(
      `Cannot import into ${folder}: expected a new or empty folder, got "${error.message}"; name another folder`,
      { cause: error },
    );
  });
  if (names.length === 0) return;
  throw new StorageError(
    `Cannot import into ${folder}: expected a new or empty folder, got one that holds ${
      names[0]
    }; name another folder`,
  );
}
