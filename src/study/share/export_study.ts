import { stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { IntegrityError, ScoreframeError, StorageError } from "../../base/errors.ts";
import { commandLine } from "../../base/runtime/command_line.ts";
import { LOCK_FILE } from "../lock/lock.ts";
import { readLockFile } from "../lock/lock_file.ts";
import { brokenSealWords } from "../lock/lock_seals.ts";
import type { ReadLock } from "../lock/lock_text.ts";
import { readTextFile } from "../../base/disk/files.ts";
import { onDisk } from "../../base/disk/on_disk.ts";
import { openTemporaryFolder } from "../../base/disk/temporary_folder.ts";
import { writeWhole } from "../../base/disk/replace_file.ts";
import { joined, type NotebookFile, readNotebook } from "../run/notebook_file.ts";
import type { Progress } from "../../frames/notebook/kernel/progress.ts";
import { CRATE_METADATA, type CrateAuthorship, describeCrate } from "./describe_crate.ts";
import { MANIFEST, SIGNATURE } from "./manifest.ts";
import { findStudyFiles, type FoundFiles, type StudyFilesOptions } from "./study_files.ts";
import { madeFile, type StudyFile } from "./study_file.ts";
import { zipChunks } from "./zip_chunks.ts";
import { refuseAddress } from "../../base/arguments/refuse_address.ts";
import { htmlCells } from "../run/compare_outputs.ts";

// A larger archive needs a format extension that the zip package does not write.
const MAX_ARCHIVE_BYTES = 3_500_000_000;

// A header has the name before the type: "ecpnd_score Float64".
const SCORE = /^(\w+_)?score(\s|$)/i;
const NUMBER = /^[-+\u2212]?\d[\d,]*(\.\d+)?(e[-+]?\d+)?$/i;

/** Options of an export. */
export interface ExportStudyOptions extends Omit<StudyFilesOptions, "onRead">, CrateAuthorship {
  /**
   * Signs the lock and the manifest.
   *
   * @default only a signature that is already beside the lock
   */
  readonly sign?: (text: string) => Promise<string>;
  /** Called with the progress: each file is read, then packed. */
  readonly progress?: Pick<Progress, "update">;
}

/** Result of an export. */
export interface ExportedStudy extends Omit<FoundFiles, "files"> {
  /** Number of files in the archive. */
  readonly files: number;
  /** Size of the archive. */
  readonly sizeBytes: number;
  /** Lower bound of the number of scores in saved outputs of notebooks: numbers in score columns of tables. */
  readonly shownScores: number;
}

/**
 * Writes a study as one zip, described as an RO-Crate: equal content gives equal bytes.
 *
 * @param folder Folder of the study
 * @param path Path of the archive
 * @param options Files to leave out, and facts that only the author knows
 * @throws {IntegrityError} If a file contains something that looks like an API key, or the lock was edited
 * @throws {StorageError} If the folder has no lock
 */
export async function exportStudy(
  folder: string,
  path: string,
  options: ExportStudyOptions,
): Promise<ExportedStudy> {
  for (const given of [folder, path]) refuseAddress("export a study", given);
  await assertTarget(path);
  const read = await readSealed(folder);
  const onRead = (done: number, total: number) =>
    options.progress?.update({ done, total: 2 * total });
  const { files: found, ...others } = await findStudyFiles(folder, read, { ...options, onRead });
  const files = new Map(found);
  let shown = 0;
  for (const [name, file] of [...files].filter(([name]) => name.endsWith(".ipynb"))) {
    const text = new TextDecoder().decode(await file.read());
    shown += shownScores(readNotebook(`export ${name}`, text));
  }
  await addMade(files, folder, read, options);
  const total = [...files.values()].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  if (total > MAX_ARCHIVE_BYTES) {
    throw new ScoreframeError(
      `Cannot export ${folder}: expected at most ${MAX_ARCHIVE_BYTES} bytes, the limit of the plain zip format, got ${total}; export it with --without-data`,
    );
  }
  await onDisk(`write ${path}`, async () => {
    // Leftovers of a killed export are removed by the next one to the same place.
    const parent = dirname(resolve(path));
    using temporary = await openTemporaryFolder("export", { parent, isHidden: true });
    const onPacked = (done: number) =>
      options.progress?.update({ done: files.size + done, total: 2 * files.size });
    const chunks = zipChunks(files, onPacked);
    await writeWhole(path, chunks, { temporary: join(temporary.path, "study.zip") });
  });
  const { size: sizeBytes } = await stat(path);
  return { ...others, files: files.size, sizeBytes, shownScores: shown };
}

// The rename would replace whatever is there, even a folder or a device.
async function assertTarget(path: string): Promise<void> {
  const folder = dirname(resolve(path));
  const isFolder = await stat(folder).then((place) => place.isDirectory(), () => false);
  if (!isFolder) {
    throw new StorageError(
      `Cannot export to ${path}: expected the folder ${folder}, got none; create it, or use another one`,
    );
  }
  const found = await stat(path).catch(() => null);
  if (found === null || found.isFile()) return;
  throw new StorageError(
    `Cannot export to ${path}: expected the path of a zip, got ` +
      `${found.isDirectory() ? "a folder" : "a device"}; use a file, such as ` +
      `${path.replace(/\/$/, "")}/study.zip`,
  );
}

async function readSealed(folder: string): Promise<ReadLock> {
  const read = await readLockFile(folder);
  if (read === null) {
    throw new StorageError(
      `Cannot export ${folder}: expected a study.lock.json, got none; give the folder of a study`,
    );
  }
  const broken = read.broken[0];
  if (broken === undefined) return read;
  throw new IntegrityError(
    `Cannot export ${folder}: expected ${brokenSealWords(broken)} in its lock, got one that was ` +
      `edited by hand or merged; let ${commandLine()} study restore compare each of its lines ` +
      "and seal it",
  );
}

/** Adds signatures, metadata and the list of checksums to an export. */
async function addMade(
  files: Map<string, StudyFile>,
  folder: string,
  read: ReadLock,
  options: ExportStudyOptions,
): Promise<void> {
  const { sign } = options;
  const beside = () => readTextFile(join(folder, `${LOCK_FILE}${SIGNATURE}`));
  const signature = await (sign?.(read.text.replaceAll("\r\n", "\n")) ?? beside());
  if (signature !== null) files.set(`${LOCK_FILE}${SIGNATURE}`, madeFile(signature));
  files.set(CRATE_METADATA, madeFile(describeCrate(files, read.lock, options)));
  const manifest = [...files].map(([path, { sha256 }]) => `${sha256}  ${path}\n`)
    .sort((a, b) => a.slice(66) < b.slice(66) ? -1 : 1).join("");
  files.set(MANIFEST, madeFile(manifest));
  if (sign !== undefined) files.set(`${MANIFEST}${SIGNATURE}`, madeFile(await sign(manifest)));
}

/**
 * Number of scores in the saved outputs of a notebook: numbers in columns `score` or `…_score` of HTML tables. A lower
 * bound: texts, pictures, and tables with a column per ticker are not counted.
 */
export function shownScores({ cells }: NotebookFile): number {
  const outputs = cells.flatMap((cell) => cell.outputs ?? []);
  const tables = outputs.flatMap(({ data }) => joined(data?.["text/html"]).split(/<\/table>/i));
  return tables.reduce((sum, table) => sum + scoresOf(table), 0);
}

function scoresOf(table: string): number {
  const { rows: [header = [], ...rows] } = htmlCells(table);
  const columns = [...header.keys()].filter((i) => SCORE.test(header[i]!));
  // pandas and others begin rows with an index that has no header cell, or an empty one, so columns count from the end.
  return rows.reduce(
    (sum, row) =>
      sum + columns.filter((i) => NUMBER.test(row[row.length - header.length + i]?.trim() ?? ""))
        .length,
    0,
  );
}
