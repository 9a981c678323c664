import { createHash } from "node:crypto";
import { type Zippable, zipSync } from "fflate";
import { ScoreframeError, StorageError } from "../../errors.ts";
import { readLockFile } from "../lock/lock_file.ts";
import { writeWhole } from "../lock/write_whole.ts";
import { CRATE_METADATA, type CrateAuthorship, describeCrate } from "./describe_crate.ts";
import { MANIFEST } from "./manifest.ts";
import { readStudyFiles, type StudyFilesOptions } from "./study_files.ts";

// Beyond this the format of the archive needs an extension that the package does not write.
const MAX_ARCHIVE_BYTES = 3_500_000_000;

/** What is exported, and under which name. */
export interface ExportStudyOptions extends StudyFilesOptions, CrateAuthorship {}

/** What an export wrote. */
export interface ExportedStudy {
  /** Number of files in the archive. */
  readonly files: number;
  /** Size of the archive. */
  readonly sizeBytes: number;
}

/**
 * Writes a study as one zip, described as an RO-Crate: equal content gives equal bytes.
 *
 * @param folder Folder of the study
 * @param path Path of the archive
 * @param options What is left out, and what only the author knows
 * @throws {IntegrityError} If a file holds something that looks like an API key
 * @throws {StorageError} If the folder has no lock
 */
export async function exportStudy(
  folder: string,
  path: string,
  options: ExportStudyOptions,
): Promise<ExportedStudy> {
  const read = await readLockFile(folder);
  if (read === null) {
    throw new StorageError(
      `Cannot export ${folder}: expected a study.lock.json, got a folder without; name the folder of a study`,
    );
  }
  const { lock } = read;
  const files = new Map(await readStudyFiles(folder, lock, options));
  files.set(CRATE_METADATA, toBytes(await describeCrate(files, lock, options)));
  files.set(MANIFEST, toBytes(manifestOf(files)));
  const total = [...files.values()].reduce((sum, bytes) => sum + bytes.length, 0);
  if (total > MAX_ARCHIVE_BYTES) {
    throw new ScoreframeError(
      `Cannot export ${folder}: expected at most ${MAX_ARCHIVE_BYTES} bytes, which fit into a zip that everything reads, ` +
        `got ${total}; export it with --without-data`,
    );
  }
  const archive = zipSync(toEntries(files));
  await writeWhole(path, archive);
  return { files: files.size, sizeBytes: archive.length };
}

function manifestOf(files: ReadonlyMap<string, Uint8Array>): string {
  return [...files].map(([path, bytes]) =>
    `${createHash("sha256").update(bytes).digest("hex")}  ${path}\n`
  ).sort((a, b) => a.slice(66) < b.slice(66) ? -1 : 1).join("");
}

function toEntries(files: ReadonlyMap<string, Uint8Array>): Zippable {
  const entries: Zippable = {};
  // The earliest time that the format has; the package writes it as local time.
  const mtime = new Date(1980, 0, 1);
  for (const path of [...files.keys()].sort()) {
    // What is compressed already only takes time.
    const level = path.endsWith(".gz") ? 0 : 6;
    entries[path] = [files.get(path)!, { level, mtime, os: 3, attrs: 0o100644 << 16 }];
  }
  return entries;
}

function toBytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
