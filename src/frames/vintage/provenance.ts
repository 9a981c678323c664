import type { DataFrame } from "nodejs-polars";
import { PROVENANCE_NAMES } from "../frame/provenance/provenance_schema.ts";
import type { TableFrame } from "../frame/typed/table_frame.ts";
import { distinctRows, originColumnsOf } from "./_origin_columns.ts";
import { assertFrame } from "../frame/assert_frame.ts";
import { isStudy, type KnownStudy } from "./known_study.ts";
import type { ColumnsOf } from "../frame/typed/columns.ts";
import { framed, frameOfObjects } from "../frame/typed/frame_of.ts";
import { markSynthetic } from "../frame/provenance/synthetic_lineage.ts";
import { heldOutText } from "../../base/wording/sentences/held_out_text.ts";

/** Columns, in order; `held_out` if tests are registered. */
const ORIGIN_COLUMNS = {
  factor: "text",
  factor_version: "text",
  universe: "text",
  snapshot_id: "text",
  calculated_at: "instant",
  download_sha256: "text",
  availability: "text",
  row_count: "count",
  held_out: "text",
} as const;

/**
 * Lists the distinct origins of a frame's rows, in the order of their first appearance; or those of a study.
 *
 * One row per combination of provenance values, with the frame's remaining provenance columns and `row_count` (Int32), the
 * number of its rows of that origin. After a join with other scores, their columns count as well (`snapshot_id_right`,
 * `ecqdi_snapshot_id`). An empty frame has no origins.
 *
 * For a study, one row per set, then one per release, of its lock, with the columns `factor`, `factor_version`, `universe`,
 * `snapshot_id`, `calculated_at`, `download_sha256`, `availability` and `row_count` (its number of rows), and, if tests are
 * registered, `held_out` (its hold-out and the number of looks); facts that a set or a release does not have are null. A study
 * without loads has no rows.
 *
 * @param from Any frame: filtered, joined, concatenated or read back from Parquet; or a study
 * @throws {TypeError} If it is neither, or is a frame without provenance columns
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
 * Lists the sets and releases of a study.
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

/** Provenance columns of a frame, its own first, in the order of frames. */
export function provenanceNames(frame: DataFrame): readonly string[] {
  return originColumnsOf(frame.columns).flatMap(({ columns }) => [...columns.values()]);
}

type OriginColumns = ColumnsOf<typeof ORIGIN_COLUMNS>;

const OF_NO_SET = { snapshotId: null, calculatedAt: null };
const OF_NO_RELEASE = { downloadSha256: null, availability: null };

/** Provenance of a study: its sets by publication, then its releases. */
function studyOrigins({ lock, heldOut = null }: KnownStudy): TableFrame<typeof ORIGIN_COLUMNS> {
  const sets = (lock?.sets ?? []).toSorted((a, b) => {
    const [left, right] = [a, b].map(({ factor, calculatedAt }) => `${factor} ${calculatedAt}`);
    return left! < right! ? -1 : 1;
  });
  const rows = [
    ...sets.map((set) => ({ ...set, ...OF_NO_RELEASE, rowCount: set.tickers })),
    ...(lock?.releases ?? []).map((release) => ({
      ...release,
      ...OF_NO_SET,
      rowCount: release.rows,
    })),
  ];
  const held = heldOut && `${heldOutText(heldOut)}.`;
  const frame = frameOfObjects(rows, ORIGIN_COLUMNS, { held_out: () => held });
  const shown = heldOut === null ? framed<OriginColumns>(frame.drop("held_out")) : frame;
  return markSynthetic(shown, lock?.synthetic === true ? ["store, synthetic"] : []);
}
