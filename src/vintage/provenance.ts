import type { DataFrame } from "nodejs-polars";
import { PROVENANCE_NAMES } from "../contract/provenance_name.ts";
import { distinctRows } from "./_distinct_rows.ts";
import type { TableFrame } from "../frame/typed/table_frame.ts";
import { type ORIGIN_COLUMNS, studyOrigins } from "./_study_origins.ts";
import { originColumnsOf } from "./_origin_columns.ts";
import { assertFrame } from "../frame/assert_frame.ts";
import { isStudy, type KnownStudy } from "./known_study.ts";

/**
 * The distinct origins of a frame's rows, in the order in which they first appear; or those that a study stands on.
 *
 * One row per combination of provenance values, with the provenance columns that the frame still has and
 * `row_count` (Int32), how many rows of the frame come from there. If a frame was joined with other scores, the
 * columns of these count as well (`snapshot_id_right`, `ecqdi_snapshot_id`). An empty frame gives no rows.
 *
 * A study gives one row per set, then one per release, of its lock, with the columns `factor`, `factor_version`,
 * `universe`, `snapshot_id`, `calculated_at`, `download_sha256`, `availability` and `row_count`, how many rows it has, and
 * `held_out`, if tests are registered, what it holds out and how often that was looked at;
 * what a set or a release does not have is null. A study that loaded nothing yet gives no rows.
 *
 * @param from Any frame: filtered, joined, concatenated or read back from Parquet; or a study
 * @throws {TypeError} If it is neither, or a frame without a provenance column
 * @example
 * ```ts
 * import { demo, provenance } from "scoreframe";
 *
 * const api = await demo();
 * const origins = provenance(await api.scores("ecpnd"));
 * if (origins.height !== 1) throw new Error("one origin expected");
 * await api.close();
 * ```
 */
export function provenance(from: DataFrame): DataFrame;
/**
 * The sets and releases that a study stands on.
 *
 * @returns A frame of one row per set and release of its lock
 */
export function provenance(from: KnownStudy): TableFrame<typeof ORIGIN_COLUMNS>;
export function provenance(from: DataFrame | KnownStudy): DataFrame {
  if (isStudy(from)) return studyOrigins(from);
  const frame: unknown = from;
  assertFrame("find the origin of rows", frame);
  const names = provenanceNames(frame);
  if (names.length > 0) return distinctRows(frame, names);
  throw new TypeError(
    `Cannot find the origin of rows: expected one of the columns ${PROVENANCE_NAMES.join(", ")}, ` +
      `got ${frame.columns.join(", ") || "none"}`,
  );
}

/** The provenance columns that a frame has, its own first, in the order of frames. */
export function provenanceNames(frame: DataFrame): readonly string[] {
  return originColumnsOf(frame.columns).flatMap(({ columns }) => [...columns.values()]);
}
