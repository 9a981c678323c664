import pl, { type DataFrame } from "nodejs-polars";
import { IntegrityError } from "../errors.ts";
import { assertFrame } from "../frame/assert_frame.ts";

/**
 * Refuses two frames whose difference would not be a change of scores: of live sets and a reconstructed release, or of
 * two calculation definitions. A frame without the columns to tell is taken as it is.
 *
 * @throws {IntegrityError} With what each frame holds
 * @throws {TypeError} If one of them is no frame
 */
export function assertComparable(before: DataFrame, after: DataFrame): void {
  for (const frame of [before, after]) assertFrame("compare scores", frame);
  refuseUnlike("two frames of live sets, or two of releases", [kindOf(before), kindOf(after)]);
  // Two factors have two definitions anyway; the comparison itself names the factors.
  if (`${valuesOf(before, "factor")}` !== `${valuesOf(after, "factor")}`) return;
  refuseUnlike("frames of one calculation definition", [versionsOf(before), versionsOf(after)]);
}

function refuseUnlike(
  required: string,
  [before, after]: readonly [string | null, string | null],
): void {
  if (before === null || after === null || before === after) return;
  throw new IntegrityError(
    `Cannot compare scores: expected ${required}, got ${before} and ${after}; ` +
      "mixed: true compares them nevertheless",
  );
}

function kindOf(frame: DataFrame): string | null {
  if (valuesOf(frame, "download_sha256").length > 0) return "a release";
  if (valuesOf(frame, "snapshot_id").length > 0) return "live sets";
  return null;
}

function versionsOf(frame: DataFrame): string | null {
  const versions = valuesOf(frame, "factor_version");
  return versions.length === 0 ? null : versions.join(" with ");
}

function valuesOf(frame: DataFrame, name: string): readonly string[] {
  if (!frame.columns.includes(name)) return [];
  const values = frame.select(pl.col(name).unique().alias("value")).getColumn("value").toArray();
  return values.filter((value) => value !== null).map(String).sort();
}
