import { Buffer } from "node:buffer";
import {
  type FileHandle,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rmdir,
  stat,
} from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { createHash } from "node:crypto";
import { ContractViolation } from "../../base/contract/violation.ts";
import { IntegrityError, StorageError } from "../../base/errors.ts";
import type { Progress } from "../../frames/notebook/kernel/progress.ts";
import { onDisk } from "../../base/disk/on_disk.ts";
import { openTemporaryFolder } from "../../base/disk/temporary_folder.ts";
import { LOCK_FILE } from "../lock/lock.ts";
import { brokenSealWords } from "../lock/lock_seals.ts";
import { parseLock } from "../lock/lock_text.ts";
import {
  type ArchiveBytes,
  readSmallEntry,
  readZipDirectory,
  readZipEntry,
  type ZipEntry,
} from "../../base/read_zip.ts";
import { MANIFEST, parseChecksums, SIGNATURE } from "./manifest.ts";
import { refuseEntries } from "./refuse_entries.ts";
import { commandLine } from "../../base/runtime/command_line.ts";
import { groupThousands } from "../../base/wording/group_thousands.ts";
import { refuseAddress } from "../../base/arguments/refuse_address.ts";
import { isCode, writeFully } from "../../base/disk/files.ts";

// Limit of a file that is read as a whole: the lines of some hundred thousand files.
const MOST_TEXT_BYTES = 100_000_000;
// Files named in one message.
const MOST_NAMED = 10;
// Other work, such as a progress display, gets a turn after this many files.
const TURN_FILES = 200;

// The list of checksums cannot contain itself or its signature.
const UNLISTED: ReadonlySet<string> = new Set([MANIFEST, `${MANIFEST}${SIGNATURE}`]);

const WINDOW_BYTES = 1 << 20;

// A small file is written faster synchronously than in a thread.
const SMALL_BYTES = 1 << 20;

/**
 * Unpacks an exported study into a new or empty folder. The folder appears only after all its files are checked, and nothing is
 * executed. Memory holds only the lock and the list of checksums, whatever the size of the archive.
 *
 * @param path Path of the archive
 * @param folder New or empty folder for the study
 * @param progress Called for each file
 * @throws {IntegrityError} If the archive is harmful, a file in it differs from the exported one (it is named), or
 *   the lock was edited
 * @throws {StorageError} If the folder is not empty, or cannot be written
 */
export async function importStudy(
  path: string,
  folder: string,
  { progress }: { readonly progress?: Pick<Progress, "update"> } = {},
): Promise<{ readonly files: readonly string[]; readonly hasData: boolean }> {
  for (const given of [path, folder]) refuseAddress("import a study", given);
  await using file = await openArchive(path);
  const archive = readAhead(file);
  const entries = refuseEntries(await readZipDirectory(archive), archive.sizeBytes);
  const expected = await readExpected(archive, entries);
  const target = resolve(folder);
  await assertEmpty(target);
  await onDisk(`import into ${folder}`, async () => {
    const parent = dirname(target);
    await mkdir(parent, { recursive: true });
    // Leftovers of a killed import are removed by the next one to the same place.
    using temporary = await openTemporaryFolder("import", { parent, isHidden: true });
    const staging = join(temporary.path, "study");
    await unpack(archive, entries, staging, { expected, progress });
    assertSealed(await readFile(join(staging, LOCK_FILE), "utf8"));
    await rmdir(target).catch(() => {});
    await rename(staging, target);
  });
  const files = entries.map(({ name }) => name).sort();
  return { files, hasData: files.includes("store/store.json") };
}

/** Reads the checksum of each file, and refuses an archive that lacks a listed file or has another one. */
async function readExpected(archive: ArchiveBytes, entries: readonly ZipEntry[]) {
  const names = new Map(entries.map((entry) => [entry.name, entry]));
  for (const name of [MANIFEST, LOCK_FILE]) {
    const sizeBytes = names.get(name)?.sizeBytes;
    if (sizeBytes === undefined) {
      throw new IntegrityError(
        `Cannot import the archive: expected ${name} in it, got an archive without it; write one with ${commandLine()} study export`,
      );
    }
    if (sizeBytes <= MOST_TEXT_BYTES) continue;
    throw new IntegrityError(
      `Cannot import the archive: expected ${name} to have at most ${MOST_TEXT_BYTES} bytes, got ${sizeBytes}; nothing ` +
        "was written; ask the sender for another copy",
    );
  }
  const pieces = await Array.fromAsync(readZipEntry(archive, names.get(MANIFEST)!));
  const expected = parseChecksums(Buffer.concat(pieces).toString("utf8"));
  const missing = [...expected.keys()].filter((name) => !names.has(name));
  const added = entries.filter(({ name }) => !UNLISTED.has(name) && !expected.has(name));
  assertNone([
    ...missing.map((name) => `${name} is missing`),
    ...added.map(({ name }) => `${name} was added`),
  ]);
  return expected;
}

async function unpack(
  archive: ArchiveBytes,
  entries: readonly ZipEntry[],
  staging: string,
  { expected, progress }: {
    readonly expected: ReadonlyMap<string, string>;
    readonly progress: Pick<Progress, "update"> | undefined;
  },
): Promise<void> {
  const changed: string[] = [];
  const folders = new Set<string>();
  for (const [i, entry] of entries.entries()) {
    const { name } = entry;
    const place = join(staging, ...name.split("/"));
    const folder = dirname(place);
    if (!folders.has(folder)) await mkdir(folder, { recursive: true });
    folders.add(folder);
    const sha256 = await unpackEntry(archive, entry, place);
    if (!UNLISTED.has(name) && sha256 !== expected.get(name)) changed.push(name);
    progress?.update({ done: i + 1, total: entries.length });
    if (i % TURN_FILES === 0) await new Promise((resolve) => setTimeout(resolve, 0));
  }
  assertNone(changed.map((name) => `${name} was changed`));
}

function assertNone(changes: readonly string[]): void {
  if (changes.length === 0) return;
  throw new IntegrityError(
    `Cannot import the archive: expected each file as it was exported, got ${listed(changes)}; ` +
      "nothing was written; ask for the archive again",
  );
}

function listed(changes: readonly string[]): string {
  const rest = changes.length - MOST_NAMED;
  // Paths are not shortened, because files of a store differ at the end; entries have at most 400 characters.
  const first = changes.slice(0, MOST_NAMED).map((it) => it.slice(0, 420)).join(", ");
  return rest > 0 ? `${first} and ${groupThousands(rest)} more` : first;
}

// Each export makes a new list of checksums, which proves nothing about the lock.
function assertSealed(text: string): void {
  const refuse = (found: string, cause?: Error) =>
    new IntegrityError(
      `Cannot import the archive: expected ${found}; nothing was written; ask its author to export it again`,
      cause && { cause },
    );
  try {
    const [broken] = parseLock(text).broken;
    if (broken === undefined) return;
    throw refuse(`${brokenSealWords(broken)} in its ${LOCK_FILE}, and it was edited by hand`);
  } catch (error) {
    if (!(error instanceof ContractViolation)) throw error;
    const { required, path, received } = error;
    throw refuse(`${required} as ${path} of its ${LOCK_FILE}, got ${received}`, error);
  }
}

async function assertEmpty(folder: string): Promise<void> {
  const names = await onDisk(
    `import into ${folder}`,
    () => readdir(folder).catch((error) => isCode(error, "ENOENT") ? [] : Promise.reject(error)),
  );
  if (names.length === 0) return;
  throw new StorageError(
    `Cannot import into ${folder}: expected a new or empty folder, got one that holds ` +
      `${names[0]}; name another folder`,
  );
}

/** Reads an archive a megabyte at a time, for readers of many small neighbouring entries. */
function readAhead(archive: ArchiveBytes): ArchiveBytes {
  let [from, window] = [0, new Uint8Array() as Awaited<ReturnType<ArchiveBytes["read"]>>];
  return {
    sizeBytes: archive.sizeBytes,
    read: async (start, count) => {
      if (count > WINDOW_BYTES || start < 0) return await archive.read(start, count);
      if (start < from || start + count > from + window.length) {
        window = await archive.read(start, WINDOW_BYTES);
        from = start;
      }
      return window.subarray(start - from, start - from + count);
    },
  };
}

/**
 * Opens the file of an archive.
 *
 * @throws {StorageError} If it cannot be read
 */
async function openArchive(path: string): Promise<ArchiveBytes & AsyncDisposable> {
  const status = await stat(path).catch((error) => isCode(error, "ENOENT") ? "no such file" : null);
  const got = status === null || typeof status === "string" || status.isFile()
    ? status
    : "a folder or a device";
  if (typeof got === "string") {
    throw new StorageError(
      `Cannot read ${path}: expected an exported study, got ${got}; name the zip`,
    );
  }
  const sizeBytes = got?.size ?? 0;
  const file = await onDisk(`read the exported study ${path}`, () => open(path, "r"));
  return {
    sizeBytes,
    read: (start, count) => readBytes(file, start, Math.min(count, sizeBytes - start)),
    [Symbol.asyncDispose]: () => file.close(),
  };
}

async function readBytes(file: FileHandle, start: number, count: number): Promise<Buffer> {
  const bytes = Buffer.alloc(Math.max(0, count));
  const { bytesRead } = await file.read(bytes, 0, bytes.length, start);
  return bytes.subarray(0, bytesRead);
}

/**
 * Writes an entry of an archive to a new file.
 *
 * @returns SHA-256 of its content
 * @throws {IntegrityError} If the content differs from the directory's entry
 */
async function unpackEntry(archive: ArchiveBytes, entry: ZipEntry, place: string) {
  const hash = createHash("sha256");
  if (entry.sizeBytes < SMALL_BYTES && entry.compressedBytes < SMALL_BYTES) {
    const content = await readSmallEntry(archive, entry);
    // One system call, where Node needs three.
    Deno.writeFileSync(place, content, { createNew: true });
    return hash.update(content).digest("hex");
  }
  await using file = await open(place, "wx");
  for await (const piece of readZipEntry(archive, entry)) {
    hash.update(piece);
    await writeFully(file, { path: place, bytes: piece });
  }
  return hash.digest("hex");
}
