import { saysSynthetic } from "../../../../frames/frame/provenance/origin.ts";
import type { DataFrame } from "nodejs-polars";
import { listText } from "../../../../base/arguments/list_text.ts";
import { assertFrame } from "../../../../frames/frame/assert_frame.ts";
import { isMarkedSynthetic } from "../../../../frames/frame/provenance/synthetic_lineage.ts";
import { sortedTexts } from "../../../../frames/frame/times/distinct_texts.ts";
import type { ChartOptions } from "./analysis_subject.ts";
import type { ChartSubject } from "./lay_out_finding.ts";
import {
  checkOptions,
  type OptionRules,
  PIXELS,
  TEXT,
} from "../../../../base/arguments/check_options.ts";

const MOST_SETS = 2;

/**
 * The column that holds the scores of a frame: the one that is named, or the only one called `score` or `…_score`.
 *
 * @throws {TypeError} If there is none, or there are several and none is named
 */
export function scoreColumnOf(action: string, frame: DataFrame, given?: string): string {
  assertFrame(action, frame);
  const found = frame.columns.filter((name) => name === "score" || name.endsWith("_score"));
  const name = given ?? (found.length === 1 ? found[0]! : undefined);
  if (name !== undefined && frame.columns.includes(name)) return name;
  throw new TypeError(
    `Cannot ${action}: expected one column of scores, got a frame with ` +
      `${listText(frame.columns)}; name one: { score: "${found[0] ?? "my_score"}" }`,
  );
}

/** Origin of the numbers of a chart. */
export type Origin = Pick<ChartSubject, "footnote" | "synthetic">;

/**
 * Origin of the rows of a frame, from its provenance columns: factor, sets or release, and whether they are synthetic.
 *
 * @param given The caller's own words
 */
export function rowOrigin(frame: DataFrame, given?: string): Origin {
  const sources = sortedTexts(frame, "source");
  const made = sources.filter(saysSynthetic).length;
  const isAll = made === sources.length;
  return {
    footnote: given ?? provenanceText(frame),
    ...(made > 0 || isMarkedSynthetic(frame)) && { synthetic: isAll ? "all" : "some" },
  };
}

/** Origin of a result that names no source: the caller's words, and whether its numbers are known to be synthetic. */
export function resultOrigin(frame: DataFrame, footnote: string): Origin {
  return { footnote, ...isMarkedSynthetic(frame) && { synthetic: "all" } };
}

function provenanceText(frame: DataFrame): string {
  const sets = sortedTexts(frame, "snapshot_id");
  const releases = sortedTexts(frame, "download_sha256");
  const parts = [
    ...sortedTexts(frame, "factor"),
    ...(sets.length > MOST_SETS ? [`${sets.length} score sets`] : sets.map((id) => `set ${id}`)),
    ...releases.map((sha256) => `release ${sha256.slice(0, 8)}…`),
  ];
  return parts.length === 0 ? "Origin of the rows unknown" : parts.join(", ");
}

/** Options of charts of one result. */
export interface ResultChartOptions extends ChartOptions {
  /**
   * Origin of the numbers for the reader: set ids, a checksum, "synthetic".
   *
   * @default the provenance columns of a frame, or a note that the result does not state its origin
   */
  readonly footnote?: string;
}

/**
 * Reads the options of a chart of one result.
 *
 * @param rules Rules of the options that this chart has beside the common ones
 * @throws {TypeError} If an option is unknown
 * @throws {RangeError} If the width is not a number of pixels
 */
export function readResultOptions<Options extends ResultChartOptions>(
  action: string,
  options: Options,
  rules: OptionRules<Omit<Options, keyof ResultChartOptions>>,
): Options & { readonly footnote: string } {
  checkOptions(action, options, { title: TEXT, widthPx: PIXELS, footnote: TEXT, ...rules });
  return { footnote: "Origin of the scores unknown", ...options };
}
