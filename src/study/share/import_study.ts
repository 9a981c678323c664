import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm, rmdir } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { ContractViolation } from "../../contract/violation.ts";
import { IntegrityError, StorageError } from "../../errors.ts";
import { onDisk } from "../../store/disk/on_disk.ts";
import { LOCK_FILE } from "../lock/lock.ts";
import { brokenSealWords } from "../lock/lock_seals.ts";
import { parseLock, type ReadLock } from "../lock/lock_text.ts";
import { writePiece } from "../lock/write_piece.ts";
import { type ArchiveBytes, openArchive } from "./archive_bytes.ts";
import { MANIFEST, parseManifest } from "./manifest.ts";
import { readZipDirectory, readZipEntry, type ZipEntry } from "./read_zip.ts";
import { refuseEntries } from "./refuse_entries.ts";
import { commandLine } from "../../runtime/command_line.ts";

// What is read as a whole: the lines of some hundred thousand files.
const MOST_TEXT_BYTES = 100_000_000;

/** What an import wrote. */
export interface ImportedStudy {
  /** Paths of the files, sorted. */
  readonly files: readonly string[];
  /** Whether the store is among them. */
  readonly hasData: boolean;
}

/**
 * Unpacks an exported study into a new or empty folder. It gets its name when everything in it was checked, and nothing is
 * executed. Cost: the memory of its lock and its list of checksums, whatever the size of the archive.
 *
 * @param path Path of the archive
 * @param folder Where the study goes
 * @throws {IntegrityError} If the archive would do harm, a file in it is not the one that was exported (it is named), or
 *   the lock is not as it was written
 * @throws {StorageError} If the folder holds something, or cannot be written
 */
export async function importStudy(path: string, folder: string): Promise<ImportedStudy> {
  await using archive = await openArchive(path);
  const entries = refuseEntries(await readZipDirectory(archive), archive.sizeBytes);
  const expected = await readExpected(archive, entries);
  const target = resolve(folder);
  await assertEmpty(target);
  const staging = join(dirname(target), `.${basename(target)}-${crypto.randomUUID()}`);
  await onDisk(`import into ${folder}`, async () => {
    try {
      await unpack(archive, { entries, expected, staging });
      assertSealed(await readFile(join(staging, LOCK_FILE), "utf8"));
      await rmdir(target).catch(() => {});
      await rename(staging, target);
    } finally {
      await rm(staging, { recursive: true, force: true });
    }
  });
  const files = entries.map(({ name }) => name).sort();
  return { files, hasData: files.includes("store/store.json") };
}

/** The checksum of each file, if the archive has all of them and no other one. */
async function readExpected(
  archive: ArchiveBytes,
  entries: readonly ZipEntry[],
): Promise<ReadonlyMap<string, string>> {
  const names = new Map(entries.map((entry) => [entry.name, entry]));
  const [manifest, lock] = [MANIFEST, LOCK_FILE].map((name) => names.get(name));
  if (manifest === undefined || lock === undefined) {
    const missing = manifest === undefined ? MANIFEST : LOCK_FILE;
    throw new IntegrityError(
      `Cannot import the archive: expected ${missing} in it, got an archive without; write one with ${commandLine()} study export`,
    );
  }
  for (const { name, sizeBytes } of [manifest, lock]) {
    if (sizeBytes <= MOST_TEXT_BYTES) continue;
    throw new IntegrityError(
      `Cannot import the archive: expected ${name} to have at most ${MOST_TEXT_BYTES} bytes, got ${sizeBytes}; nothing ` +
        "was written, ask its sender",
    );
  }
  const pieces = await Array.fromAsync(readZipEntry(archive, manifest));
  const expected = parseManifest(Buffer.concat(pieces).toString("utf8"));
  const missing = [...expected.keys()].filter((name) => !names.has(name));
  const added = entries.filter(({ name }) => name !== MANIFEST && !expected.has(name));
  assertNone([
    ...missing.map((name) => `${name} is missing`),
    ...added.map(({ name }) => `${name} was added`),
  ]);
  return expected;
}

async function unpack(
  archive: ArchiveBytes,
  { entries, expected, staging }: {
    readonly entries: readonly ZipEntry[];
    readonly expected: ReadonlyMap<string, string>;
    readonly staging: string;
  },
): Promise<void> {
  const changed: string[] = [];
  for (const entry of entries) {
    const { name } = entry;
    const place = join(staging, ...name.split("/"));
    await mkdir(dirname(place), { recursive: true });
    const hash = createHash("sha256");
    await using file = await open(place, "wx");
    for await (const piece of readZipEntry(archive, entry)) {
      hash.update(piece);
      await writePiece(file, { path: place, piece });
    }
    if (name !== MANIFEST && hash.digest("hex") !== expected.get(name)) changed.push(name);
  }
  assertNone(changed.map((name) => `${name} was changed`));
}

function assertNone(changes: readonly string[]): void {
  if (changes.length === 0) return;
  throw new IntegrityError(
    `Cannot import the archive: expected each file as it was exported, got ${
      changes.join(", ")
    }; nothing was written, ask for the archive again`,
  );
}

// The list of checksums is made anew by each export, and proves nothing of the lock that was exported.
function assertSealed(text: string): void {
  const broken = readLock(text).broken[0];
  if (broken === undefined) return;
  throw new IntegrityError(
    `Cannot import the archive: expected ${
      brokenSealWords(broken)
    } in its ${LOCK_FILE}, and it was edited by hand; ` +
      "nothing was written, ask its author to export it again",
  );
}

function readLock(text: string): ReadLock {
  try {
    return parseLock(text);
  } catch (error) {
    if (!(error instanceof ContractViolation)) throw error;
    throw new IntegrityError(
      `Cannot import the archive: expected ${error.required} as ${error.path} of its ${LOCK_FILE}, got ${error.received}; ` +
        "nothing was written, ask its author to export it again",
      { cause: error },
    );
  }
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
