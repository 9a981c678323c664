import type { DataFrame } from "nodejs-polars";
import { FACTOR_MEANING, isFactor } from "../../contract/factor.ts";
import { provenance } from "../../vintage/provenance.ts";

type Origin = Readonly<Record<string, unknown>>;

/**
 * Writes the data paragraph of a paper for any frame with provenance columns, in Markdown: factors, versions, universe, sets
 * or releases, dates, counts, and what is synthetic. What the frame's columns do not tell is left out.
 *
 * A study tells more of itself: {@link Study.methods}.
 *
 * @param frame Any frame with provenance columns: filtered, joined, or read back from Parquet
 * @throws {TypeError} If it is no frame, or has no provenance column
 * @example
 * ```ts
 * import { demo, methods } from "scoreframe";
 *
 * const api = await demo();
 * const text = methods(await api.scores("ecpnd"));
 * if (!text.includes("synthetic")) throw new Error("the demo's numbers are synthetic");
 * await api.close();
 * ```
 */
export function methods(frame: DataFrame): string {
  const origins: readonly Origin[] = provenance(frame).toRecords();
  const factors = Map.groupBy(origins, (origin) => textOf(origin.factor) ?? "an unnamed factor");
  const sentences = [...factors].flatMap(([factor, own]) => factorSentences(factor, own));
  const isSynthetic = origins.some(({ source }) => String(source).includes("synthetic"));
  return `${
    [
      "The data come from the Research Factor Score API (v1).",
      ...(isSynthetic
        ? ["**The numbers are synthetic: they were made up by a simulated service.**"]
        : []),
      ...sentences,
      "Missing scores are kept as missing; none was filled or set to zero.",
    ].join(" ")
  }\n`;
}

function factorSentences(factor: string, origins: readonly Origin[]): readonly string[] {
  const sets = origins.filter(({ snapshot_id: id }) => textOf(id) !== null);
  const releases = origins.filter(({ download_sha256: id }) => textOf(id) !== null);
  const meaning = isFactor(factor) ? `${factor}, ${FACTOR_MEANING[factor]}` : factor;
  return [
    ...(sets.length === 0 ? [] : [setSentence(meaning, sets)]),
    ...(releases.length === 0 ? [] : [releaseSentence(meaning, releases)]),
  ];
}

function setSentence(factor: string, origins: readonly Origin[]): string {
  const ids = distinct(origins, "snapshot_id");
  const published = distinct(origins, "calculated_at");
  const dates = published.length === 0
    ? ""
    : ids.length === 1
    ? ` published ${published[0]}`
    : ` published from ${published[0]} to ${published.at(-1)}`;
  const named = ids.length <= 5 ? ` (${ids.map((id) => `\`${id}\``).join(", ")})` : "";
  return `Of ${factor}${labels(origins)}, ${ids.length} score ${
    ids.length === 1 ? "set" : "sets"
  }` +
    `${dates}${named} ${ids.length === 1 ? "gives" : "give"} ${rowsOf(origins)} rows.`;
}

function releaseSentence(factor: string, origins: readonly Origin[]): string {
  const ids = distinct(origins, "download_sha256").map((id) => `\`${id}\``).join(", ");
  const conventions = distinct(origins, "availability").map((text) => `"${text}"`).join(", ");
  const under = conventions === "" ? "" : ` under the convention ${conventions}`;
  return `The reconstructed history release of ${factor}${
    labels(origins)
  } (SHA-256 ${ids})${under} gives ` +
    `${rowsOf(origins)} rows; it is no record of what was published on those days.`;
}

function labels(origins: readonly Origin[]): string {
  const told = [...distinct(origins, "factor_version"), ...distinct(origins, "universe")];
  return told.length === 0 ? "" : ` (${told.join("; ")})`;
}

function rowsOf(origins: readonly Origin[]): string {
  const rows = origins.reduce((sum, { row_count: count }) => sum + Number(count), 0);
  // Not of the machine's locale: the same frame gives the same text everywhere.
  return String(rows).replaceAll(/\B(?=(\d{3})+$)/g, ",");
}

function distinct(origins: readonly Origin[], name: string): readonly string[] {
  const values = origins.map((origin) => textOf(origin[name])).filter((text) => text !== null);
  return [...new Set(values)].sort();
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return value instanceof Date ? value.toISOString() : String(value);
}
