import pl, { type DataFrame } from "nodejs-polars";
import { FACTORS, scoreNameOf } from "../../base/contract/factor.ts";
import { IntegrityError } from "../../base/errors.ts";
import { assertFrame } from "../frame/assert_frame.ts";
import { sayNotice } from "../notebook/kernel/say_notice.ts";
import { untoldRows } from "./untold_rows.ts";

const ONLY_OF_SETS = ["snapshot_id", "calculated_at", "last_checked_at", "data_through"];
const ONLY_OF_RELEASES = ["download_sha256", "availability"];

/**
 * Refuses two frames whose difference would not be a change of scores: live sets and a reconstructed release, or two
 * calculation definitions. A frame without provenance columns is recognised by its date: only rows of a release have one
 * without a time beside it.
 *
 * @throws {IntegrityError} With the content of each frame
 * @throws {TypeError} If one of them is not a frame
 */
export function assertComparable(before: DataFrame, after: DataFrame): void {
  for (const frame of [before, after]) {
    assertFrame("compare scores", frame);
    refuseUntold(frame);
  }
  const kinds = [kindOf(before, after), kindOf(after, before)] as const;
  refuseUnlike("two frames of live sets, or two of releases", kinds);
  if (kinds.includes(null)) {
    sayNotice(
      `compare(): the ${kinds[0] === null ? "earlier" : "later"} scores have neither snapshot_id ` +
        "nor download_sha256, so live sets and a release cannot be distinguished; compare both " +
        "as loaded",
    );
  }
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
      "mixed: true allows the comparison",
  );
}

function kindOf(frame: DataFrame, other: DataFrame): string | null {
  if (ONLY_OF_RELEASES.some((name) => valuesOf(frame, name).length > 0)) return "a release";
  if (ONLY_OF_SETS.some((name) => valuesOf(frame, name).length > 0)) return "live sets";
  if (!frame.columns.includes("date")) {
    return other.columns.includes("date") ? "scores without a date" : null;
  }
  return frame.columns.includes("at") ? "live sets" : "a release";
}

function refuseUntold(frame: DataFrame): void {
  const untold = untoldRows(frame, FACTORS.map(scoreNameOf));
  if (untold === 0) return;
  throw new IntegrityError(
    `Cannot compare scores: expected frames of one origin each, got ${untold} scored rows without the snapshot_id or ` +
      "download_sha256 of the others; compare each origin separately",
  );
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
