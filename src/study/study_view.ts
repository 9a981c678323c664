import { countText } from "../base/wording/number_text.ts";
import { tableBundle, tableLines } from "../client/verb/table.ts";
import type { TextTable } from "../client/verb/table.ts";
import { DISPLAY, display } from "../frames/notebook/display.ts";
import type { DisplayMethods } from "../frames/notebook/display_as.ts";
import { registeredLine } from "./hold_out/registered_text.ts";
import { plansOf } from "./hold_out/time_limit.ts";
import type { StudyPlace } from "./study_place.ts";

const SHOWN_MISSING = 3;

/**
 * Display of a study as a small table: time, contents and mode; in a notebook also the files that its store lacks.
 */
export function studyView(place: StudyPlace): DisplayMethods {
  return {
    toString: () => tableLines(studyTable(place, [])),
    async [DISPLAY]() {
      const notes = await noteMissing(place).catch(() => []);
      return await display(tableBundle(studyTable(place, notes)));
    },
  };
}

function studyTable({ name, mode, lock }: StudyPlace, notes: readonly string[]): TextTable {
  const rows = lock === null ? [["contents", "none yet"]] : [
    ["time", lock.asOf],
    ["service", lock.service],
    ["sets", `${lock.sets.length}`],
    ["views", `${lock.views.length}`],
    ["releases", `${lock.releases.length}`],
  ];
  const synthetic = lock?.synthetic === true ? ["the numbers are synthetic"] : [];
  const tests = lock === null ? [] : plansOf(lock).map((plan) => registeredLine(lock, plan));
  return {
    title: `Study ${name}`,
    header: ["mode", mode],
    rows,
    notes: [...tests, ...synthetic, ...notes],
  };
}

async function noteMissing({ lock, storeFolder }: StudyPlace): Promise<readonly string[]> {
  if (lock === null) return [];
  const [{ findMissingFiles }, { currentEnvironment }] = await Promise.all([
    import("./find_missing_files.ts"),
    import("./current_environment.ts"),
  ]);
  const missing = await findMissingFiles(lock, storeFolder);
  const { polars } = await currentEnvironment();
  const shown = missing.slice(0, SHOWN_MISSING).join(", ");
  return [
    ...(missing.length === 0 ? ["the store is complete"] : [
      `${countText(missing.length, "file")} missing from its store: ` +
      `${shown}${missing.length > SHOWN_MISSING ? " …" : ""}`,
    ]),
    ...(polars === lock.environment.polars
      ? []
      : [`created with Polars ${lock.environment.polars}; this process has ${polars}`]),
  ];
}
