import { type Check, encodeCheck } from "../../base/contract/scores/check.ts";
import { encodeFactorHeaders } from "../../base/contract/http/header.ts";
import type { ScoreFormat } from "../../base/contract/http/query.ts";
import { encodeScoreCsv } from "../../base/contract/scores/score_csv.ts";
import { encodeScoreRows, type ScoreRows } from "../../base/contract/scores/score_rows.ts";
import type { PreparedSet } from "./catalogue.ts";
import { LruCache } from "./caches.ts";
import { type HeaderField, SYNTHETIC } from "../message/message.ts";
import { weakEntityTag } from "./entity_tag.ts";

const MAX_BODY_BYTES = 64 << 20;

/** One representation of a selected check: body and headers. */
export interface Representation {
  /** Prepared body. */
  readonly body: Uint8Array<ArrayBuffer>;
  /** Headers of 200 and 304. */
  readonly headers: readonly HeaderField[];
  /** Headers of 200 alone. */
  readonly contentHeaders: readonly HeaderField[];
  /** Entity tag for an account: weak, over the whole response (section 4.3). */
  etagFor(accountId: string): string;
}

/** Content of a representation. */
export interface Shown {
  /** Selected check, with the status for the request. */
  readonly check: Check;
  /** Its set. */
  readonly set: PreparedSet;
}

/** Bodies of score responses, created once per check, status and format, and cached with a size limit. */
export class ScoreRepresentations {
  readonly #cache = new LruCache<Representation>(MAX_BODY_BYTES);

  /**
   * Representation of a check.
   *
   * @returns `null` if the ticker is not in the set
   */
  of(
    shown: Shown,
    query: { readonly ticker: string | null; readonly format: ScoreFormat },
  ): Representation | null {
    if (query.ticker !== null) return representTicker(shown, query.ticker, query.format);
    const { check } = shown;
    const key = `${query.format} ${check.factor} ${check.lastCheckedAt} ${check.status} ` +
      `${check.snapshotId} ${check.calculatedAt} ${check.dataThrough} ` +
      JSON.stringify(check.coverage);
    const known = this.#cache.get(key);
    if (known !== undefined) return known;
    const representation = represent(shown, query, null);
    this.#cache.set(key, representation, { weight: representation.body.length });
    return representation;
  }
}

function representTicker(shown: Shown, ticker: string, format: ScoreFormat): Representation | null {
  const { rows } = shown.set.set;
  const i = rows.tickers.indexOf(ticker);
  if (i === -1) return null;
  const row: ScoreRows = { tickers: [ticker], scores: [rows.scores[i] ?? null] };
  return represent(shown, { ticker, format }, row);
}

function represent(
  { check, set }: Shown,
  { ticker, format }: Parameters<ScoreRepresentations["of"]>[1],
  row: ScoreRows | null,
): Representation {
  const fields = JSON.stringify(encodeCheck(check));
  const rowsJson = row ? JSON.stringify(encodeScoreRows(row, check.scoreName)) : set.rowsJson;
  const text = format === "csv"
    ? encodeScoreCsv(row ?? set.set.rows, check.factor)
    : `${fields.slice(0, -1)},"scores":${rowsJson}}`;
  const tags = new Map<string, string>();
  const etagFor = (accountId: string) => {
    const known = tags.get(accountId);
    if (known !== undefined) return known;
    const etag = weakEntityTag([accountId, format, ticker, fields]);
    tags.set(accountId, etag);
    return etag;
  };
  return {
    body: new TextEncoder().encode(text),
    headers: [
      ["Cache-Control", "private, no-cache"],
      ...encodeFactorHeaders(check),
      // A recording is not marked as synthetic, but its checks may come from a synthetic service.
      ...check.extra.synthetic === true ? [SYNTHETIC] : [],
    ],
    contentHeaders: contentHeaders(check, format),
    etagFor,
  };
}

function contentHeaders(check: Check, format: ScoreFormat): readonly HeaderField[] {
  if (format === "json") return [["Content-Type", "application/json"]];
  const day = check.lastCheckedAt.slice(0, 16).replaceAll(/[-:]/g, "");
  return [
    ["Content-Type", "text/csv; charset=utf-8"],
    ["Content-Disposition", `attachment; filename="${check.factor}_scores_${day}Z.csv"`],
  ];
}
