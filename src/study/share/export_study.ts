import { stat } from "node:fs/promises";
import { IntegrityError, ScoreframeError, StorageError } from "../../errors.ts";
import { commandLine } from "../../runtime/command_line.ts";
import { readLockFile } from "../lock/lock_file.ts";
import { brokenSealWords } from "../lock/lock_seals.ts";
import { writeWhole } from "../lock/write_whole.ts";
import { CELLS_FILE, encodeCells, recordCells } from "../run/cell_record.ts";
import type { NotebookFile } from "../run/notebook_file.ts";
import { CRATE_METADATA, type CrateAuthorship, describeCrate } from "./describe_crate.ts";
import { MANIFEST } from "./manifest.ts";
import {
  findStudyFiles,
  madeFile,
  type StudyFiles,
  type StudyFilesOptions,
} from "./study_files.ts";
import { zipChunks } from "./zip_chunks.ts";

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
 * @throws {IntegrityError} If a file holds something that looks like an API key, or the lock is not as it was written
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
  const broken = read.broken[0];
  if (broken !== undefined) {
    throw new IntegrityError(
      `Cannot export ${folder}: expected ${
        brokenSealWords(broken)
      } in its lock, and it was edited by hand or merged; let ` +
        `${commandLine()} study restore compare each of its lines and seal it`,
    );
  }
  const files = new Map(await findStudyFiles(folder, read, options));
  const cells = await cellsOf(files);
  if (cells !== "") files.set(CELLS_FILE, madeFile(cells));
  files.set(CRATE_METADATA, madeFile(await describeCrate(files, lock, options)));
  files.set(MANIFEST, madeFile(manifestOf(files)));
  const total = [...files.values()].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  if (total > MAX_ARCHIVE_BYTES) {
    throw new ScoreframeError(
      `Cannot export ${folder}: expected at most ${MAX_ARCHIVE_BYTES} bytes, which fit into a zip that everything reads, ` +
        `got ${total}; export it with --without-data`,
    );
  }
  await writeWhole(path, zipChunks(files));
  return { files: files.size, sizeBytes: (await stat(path)).size };
}

// What a reader's run is explained with: which cells were edited since.
async function cellsOf(files: StudyFiles): Promise<string> {
  const cells: string[] = [];
  for (const [path, file] of files) {
    if (!path.endsWith(".ipynb")) continue;
    cells.push(encodeCells(path, recordCells(readNotebook(path, await file.read()))));
  }
  return cells.join("");
}

function readNotebook(path: string, bytes: Uint8Array): NotebookFile {
  try {
    const notebook: NotebookFile = JSON.parse(new TextDecoder().decode(bytes));
    if (Array.isArray(notebook.cells)) return notebook;
  } catch {
    // It is told below.
  }
  throw new IntegrityError(
    `Cannot export ${path}: expected a notebook, got a file without cells; repair or remove it`,
  );
}

function manifestOf(files: StudyFiles): string {
  return [...files].map(([path, { sha256 }]) => `${sha256}  ${path}\n`)
    .sort((a, b) => a.slice(66) < b.slice(66) ? -1 : 1).join("");
}
