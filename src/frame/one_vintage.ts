import pl, { type DataFrame } from "nodejs-polars";
import { type Factor, FACTORS } from "../contract/factor.ts";
import { IntegrityError } from "../errors.ts";
import { provenance, provenanceNames } from "./provenance.ts";

/** What counts as one vintage. */
export interface OneVintageOptions {
  /**
   * Column of decision times of a panel: each of them must come from one score set, while the panel as a whole
   * spans many. Without it the whole frame must come from one.
   *
   * @default undefined
   */
  readonly per?: string;
}

/**
 * Refuses a frame that mixes what must not be mixed silently: live score sets with the reconstructed release,
 * two calculation definitions of a factor, two score sets, or two releases.
 *
 * Each factor is judged on its own, so that a frame may carry both; a wide panel is judged by its columns of set ids.
 *
 * @returns The frame itself, so that the call can stand in a chain
 * @throws {IntegrityError} If the frame mixes them, or lacks the columns to tell
 */
export function assertOneVintage(frame: DataFrame, options: OneVintageOptions = {}): DataFrame {
  const { per } = options;
  const names = provenanceNames(frame);
  const wide = FACTORS.filter((factor) => frame.columns.includes(`${factor}_snapshot_id`));
  if (wide.length > 0 && !names.includes("factor")) return assertWide(frame, wide, per);
  const ids = ["snapshot_id", "download_sha256"].filter((name) => names.includes(name));
  if (!names.includes("factor") || ids.length === 0) {
    throw new IntegrityError(
      "Cannot tell the vintage of the frame: the columns factor and snapshot_id or download_sha256 " +
        `are required, it has ${frame.columns.join(", ")}`,
    );
  }
  assertColumn(frame, per);
  const origins: readonly Row[] = provenance(frame).toRecords();
  refuseSeveral(origins, "factor_version", "calculation definitions");
  refuseLiveWithRelease(origins, ids);
  if (per === undefined) {
    for (const id of ids) refuseSeveral(origins, id, VINTAGE_NAMES[id]!);
  } else {
    refuseSeveralPer(frame, per, ids);
  }
  return frame;
}

function assertColumn(frame: DataFrame, per: string | undefined): void {
  if (per === undefined || frame.columns.includes(per)) return;
  throw new TypeError(
    `Cannot tell the vintage per "${per}": it must be a column of the frame, ` +
      `which has ${frame.columns.join(", ")}`,
  );
}

// A wide panel has a column of ids per factor, and was refused where a factor had two calculation definitions.
function assertWide(
  frame: DataFrame,
  factors: readonly Factor[],
  per: string | undefined,
): DataFrame {
  assertColumn(frame, per);
  for (const factor of factors) {
    const long = frame.select(
      pl.lit(factor).alias("factor"),
      pl.col(`${factor}_snapshot_id`).alias("snapshot_id"),
      ...(per === undefined ? [] : [pl.col(per)]),
    );
    if (per === undefined) refuseSeveral(long.toRecords(), "snapshot_id", "score sets");
    else refuseSeveralPer(long, per, ["snapshot_id"]);
  }
  return frame;
}

type Row = Readonly<Record<string, unknown>>;

const VINTAGE_NAMES: Readonly<Record<string, string>> = {
  snapshot_id: "score sets",
  download_sha256: "releases",
};

function refuseSeveral(origins: readonly Row[], column: string, what: string): void {
  const known = new Map<unknown, unknown>();
  for (const origin of origins) {
    const value = origin[column];
    if (value === null || value === undefined) continue;
    const first = known.get(origin.factor) ?? value;
    known.set(origin.factor, first);
    if (first !== value) {
      throw new IntegrityError(
        `Cannot take the frame for one vintage: ${origin.factor} comes from several ${what}, ` +
          `${column} is ${first} and ${value}; keep one of them with a filter`,
      );
    }
  }
}

function refuseLiveWithRelease(origins: readonly Row[], ids: readonly string[]): void {
  if (ids.length < 2) return;
  const factors = new Set(origins.map((origin) => origin.factor));
  for (const factor of factors) {
    const own = origins.filter((origin) => origin.factor === factor);
    if (!ids.every((id) => own.some((origin) => origin[id] !== null))) continue;
    throw new IntegrityError(
      `Cannot take the frame for one vintage: ${factor} mixes live score sets with the ` +
        "reconstructed release; filter on snapshot_id or download_sha256 being null",
    );
  }
}

function refuseSeveralPer(frame: DataFrame, per: string, ids: string[]): void {
  const mixed: readonly Row[] = frame.lazy().groupBy(["factor", per], true)
    .agg(...ids.map((id) => pl.col(id).nUnique()))
    .filter(pl.anyHorizontal(ids.map((id) => pl.col(id).gt(pl.lit(1)))))
    .collectSync().toRecords();
  if (mixed[0] === undefined) return;
  const { factor, [per]: at } = mixed[0];
  const shown = at instanceof Date ? at.toISOString() : String(at);
  throw new IntegrityError(
    `Cannot take the frame for one vintage: ${factor} comes from several publications at ` +
      `${per} ${shown}; keep one of them with a filter`,
  );
}
