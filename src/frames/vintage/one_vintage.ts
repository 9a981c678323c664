import type { DataFrame } from "nodejs-polars";
import { countText } from "../../base/wording/number_text.ts";
import { checkOptions, ruleOf, TEXT } from "../../base/arguments/check_options.ts";
import { FACTORS, scoreNameOf } from "../../base/contract/factor.ts";
import { IntegrityError } from "../../base/errors.ts";
import { distinctRows, type OriginColumns, originColumnsOf } from "./_origin_columns.ts";
import { assertRows } from "../frame/assert_frame.ts";
import { untoldRows } from "./untold_rows.ts";
import { isStudy, type KnownStudy } from "./known_study.ts";

/**
 * Options of the test for one vintage.
 *
 * @internal
 */
export interface OneVintageOptions {
  /**
   * Column of decision times of a panel: each time must come from one score set, although the panel has many. Without it the
   * whole frame must come from one.
   *
   * @default undefined
   */
  readonly per?: string;
  /**
   * A study that the frame must come from: each set or release must be in its lock, and the frame may have many of them.
   *
   * @default undefined
   */
  readonly study?: KnownStudy;
}

/**
 * Refuses a frame that mixes vintages: live score sets and the reconstructed release, two calculation definitions of a factor,
 * two score sets, or two releases.
 *
 * Each factor is checked separately, so a frame may have both. Joined scores count as well, whether their columns have a suffix
 * (`snapshot_id_right`) or, as in a wide panel, the factor as a prefix.
 *
 * With `study` the vintage is the study's time: everything in its lock was known then, and nothing else may be in the frame.
 *
 * @param frame Any frame with provenance columns
 * @returns The frame itself, for chaining
 * @throws {IntegrityError} If the frame mixes vintages
 * @throws {TypeError} If it is not a frame, or lacks provenance columns or the column `per`
 * @example
 * ```ts
 * import { assertOneVintage, demo } from "scoreframe";
 *
 * const api = await demo();
 * const closes = ["2026-11-18T21:00:00Z", "2026-11-19T21:00:00Z"];
 * assertOneVintage(await api.panel("ecpnd", { at: closes }), { per: "at" });
 * await api.close();
 * ```
 */
export function assertOneVintage<Frame extends DataFrame>(
  frame: Frame,
  options: OneVintageOptions = {},
): Frame {
  assertRows("find the vintage", frame, "the frame");
  checkOptions("find the vintage", options, {
    per: TEXT,
    study: ruleOf("a study from openStudy()", isStudy),
  });
  const { per, study } = options;
  if (per !== undefined && !frame.columns.includes(per)) {
    throw new TypeError(
      `Cannot find the vintage per "${per}": expected a column of the frame, ` +
        `got ${frame.columns.join(", ")}`,
    );
  }
  const origins = readOrigins(frame, per);
  refuseUntold(frame);
  refuseSeveral(origins, "factor_version");
  refuseLiveWithRelease(origins);
  if (study !== undefined) refuseStrangers(origins, study);
  const isWhole = per === undefined && study !== undefined;
  for (const id of isWhole ? [] : IDS) refuseSeveral(origins, id, per);
  return frame;
}

/** One combination of values that identify a vintage; `null` where the row has none. */
interface Origin {
  readonly factor: string;
  readonly factor_version: string | null;
  readonly snapshot_id: string | null;
  readonly download_sha256: string | null;
  /** Decision time, as text; empty if the frame is checked as a whole. */
  readonly at: string;
}

const SEVERAL = {
  factor_version: "calculation definitions",
  snapshot_id: "score sets",
  download_sha256: "releases",
} as const;

const IDS = ["snapshot_id", "download_sha256"] as const;
const TELLING = ["factor_version", "snapshot_id", "download_sha256"] as const;

// A study without loads has no origins.
function refuseStrangers(origins: readonly Origin[], { asOf, lock }: KnownStudy): void {
  const ids = new Set([
    ...(lock?.sets ?? []).map(({ factor, snapshotId }) => `${factor} ${snapshotId}`),
    ...(lock?.releases ?? []).map(({ factor, downloadSha256 }) => `${factor} ${downloadSha256}`),
  ]);
  for (const origin of origins) {
    for (const id of IDS) {
      const value = origin[id];
      if (value === null || ids.has(`${origin.factor} ${value}`)) continue;
      const kind = id === "snapshot_id" ? "set" : "release";
      throw new IntegrityError(
        "Cannot accept the frame as one vintage: expected data in the lock of the study of " +
          `${asOf ?? "no time yet"}, got the ${origin.factor} ${kind} ${value}; load it from the ` +
          "study",
      );
    }
  }
}

function readOrigins(frame: DataFrame, per: string | undefined): readonly Origin[] {
  const origins = originColumnsOf(frame.columns)
    .filter(({ columns }) => columns.has("snapshot_id") || columns.has("download_sha256"));
  // If both frames were joined by their factor, the frame has one column for it.
  const shared = frame.columns.includes("factor") ? "factor" : undefined;
  const factors = origins.map(({ columns, factor }) => columns.get("factor") ?? factor ?? shared);
  if (origins.length > 0 && !factors.includes(undefined)) {
    return origins.flatMap((origin) => originsOf(frame, origin, [per, shared]));
  }
  throw new TypeError(
    "Cannot find the vintage of the frame: expected the columns factor and snapshot_id or " +
      `download_sha256, got ${frame.columns.join(", ")}`,
  );
}

function originsOf(
  frame: DataFrame,
  { columns, factor }: OriginColumns,
  [per, shared]: readonly [per: string | undefined, shared: string | undefined],
): readonly Origin[] {
  const factorColumn = columns.get("factor") ?? (factor === null ? shared : undefined);
  const telling = [factorColumn, ...TELLING.map((name) => columns.get(name)), per]
    .filter((name) => name !== undefined);
  const records = distinctRows(frame, [...new Set(telling)]).toRecords();
  const rows: readonly Readonly<Record<string, unknown>>[] = records;
  return rows.map((row) => {
    const text = (column: string | undefined) => {
      const value = column === undefined ? null : row[column];
      if (value === null) return null;
      return value instanceof Date ? value.toISOString() : String(value);
    };
    return {
      factor: factor ?? text(factorColumn) ?? "an unknown factor",
      factor_version: text(columns.get("factor_version")),
      snapshot_id: text(columns.get("snapshot_id")),
      download_sha256: text(columns.get("download_sha256")),
      at: per === undefined ? "" : String(text(per)),
    };
  });
}

function refuseSeveral(
  origins: readonly Origin[],
  column: keyof typeof SEVERAL,
  per?: string,
): void {
  const known = new Map<string, string>();
  for (const origin of origins) {
    const value = origin[column];
    if (value === null) continue;
    const key = per === undefined ? origin.factor : `${origin.factor} ${origin.at}`;
    const first = known.get(key) ?? value;
    known.set(key, first);
    if (first === value) continue;
    const where = per === undefined ? "" : ` at ${per} ${origin.at}`;
    throw new IntegrityError(
      `Cannot accept the frame as one vintage: expected ${origin.factor} of one ${column}${where}, ` +
        `got several ${SEVERAL[column]}, ${first} and ${value}; keep one of them with a filter`,
    );
  }
}

function refuseUntold(frame: DataFrame): void {
  const untold = untoldRows(frame, FACTORS.map(scoreNameOf));
  if (untold === 0) return;
  throw new IntegrityError(
    `Cannot accept the frame as one vintage: expected a snapshot_id or download_sha256 in every scored row, got ` +
      `${countText(untold, "row")} without one; load the stacked rows with their provenance`,
  );
}

function refuseLiveWithRelease(origins: readonly Origin[]): void {
  for (const [factor, own] of Map.groupBy(origins, (origin) => origin.factor)) {
    const isLive = own.some((origin) => origin.snapshot_id !== null);
    if (!isLive || own.every((origin) => origin.download_sha256 === null)) continue;
    throw new IntegrityError(
      `Cannot accept the frame as one vintage: expected one kind of ${factor}, got live score sets beside the ` +
        "reconstructed release; keep one of them with a filter on null in snapshot_id or download_sha256",
    );
  }
}
