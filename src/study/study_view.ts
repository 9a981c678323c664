import { access } from "node:fs/promises";
import { join } from "node:path";
import { tableBundle, tableText } from "../client/verb/table.ts";
import type { Table } from "../client/verb/table.ts";
import { DISPLAY, display, type MimeBundle } from "../notebook/display.ts";
import { LAYOUT, RELEASE_FILE } from "../store/layout.ts";
import { currentEnvironment } from "./current_environment.ts";
import type { StudyLock } from "./lock/lock.ts";
import type { StudyPlace } from "./study_place.ts";

const SHOWN_MISSING = 3;

/** How a study shows itself: its time, what it stands on, what is missing, and its mode. */
export class StudyView {
  readonly #place: StudyPlace;

  /**
   * Made by `openStudy()`.
   *
   * @param place Folder and lock of the study
   */
  constructor(place: StudyPlace) {
    this.#place = place;
  }

  /** The study as a small table, without a look at its store. */
  toString(): string {
    return tableText(studyTable(this.#place, []));
  }

  /** What a notebook shows: the table, with what its store lacks. */
  async [DISPLAY](): Promise<MimeBundle> {
    const notes = await noteMissing(this.#place).catch(() => []);
    return await display(tableBundle(studyTable(this.#place, notes)));
  }

  /** What a terminal shows. */
  [Symbol.for("Deno.customInspect")](): string {
    return this.toString();
  }
}

function studyTable({ name, mode, lock }: StudyPlace, notes: readonly string[]): Table {
  const rows = lock === null ? [["stands on", "nothing yet"]] : [
    ["time", lock.asOf],
    ["service", lock.service],
    ["sets", `${lock.sets.length}`],
    ["views", `${lock.views.length}`],
    ["releases", `${lock.releases.length}`],
  ];
  const synthetic = lock?.synthetic === true ? ["its numbers are synthetic"] : [];
  return { title: `Study ${name}`, header: ["mode", mode], rows, notes: [...synthetic, ...notes] };
}

async function noteMissing({ lock, storeFolder }: StudyPlace): Promise<readonly string[]> {
  if (lock === null) return [];
  const missing = await findMissingFiles(lock, storeFolder);
  const { polars } = await currentEnvironment();
  const shown = missing.slice(0, SHOWN_MISSING).join(", ");
  return [
    ...(missing.length === 0 ? ["nothing is missing"] : [
      `${missing.length} missing from its store: ${shown}${
        missing.length > SHOWN_MISSING ? " …" : ""
      }`,
    ]),
    ...(polars === lock.environment.polars
      ? []
      : [`made with Polars ${lock.environment.polars}, this is ${polars}`]),
  ];
}

/** The files of sets and releases that a lock names and a store lacks, relative to the store. */
export async function findMissingFiles(lock: StudyLock, store: string): Promise<readonly string[]> {
  const places = [
    ...lock.sets.map(({ factor, snapshotId }) => LAYOUT.eitherSet(factor, snapshotId)),
    ...lock.releases.map(({ factor, downloadSha256 }) =>
      [join(LAYOUT.release(factor, downloadSha256), RELEASE_FILE)] as const
    ),
  ];
  const isThere = await Promise.all(
    places.map((paths) =>
      Promise.any(paths.map((path) => access(join(store, path)))).then(() => true, () => false)
    ),
  );
  return places.filter((_, i) => !isThere[i]).map((paths) => paths.at(-1)!);
}
