import { epochMsOf } from "../../base/contract/instant.ts";
import type { ScoresQuery } from "../../base/contract/http/query.ts";
import { matchesEntityTag } from "../catalogue/entity_tag.ts";
import type { HandlerCall } from "./pipeline_parts.ts";
import type { HandlerReply } from "../message/message.ts";
import type { ScoreRepresentations } from "../catalogue/score_representations.ts";
import { Refusal } from "../message/refusal.ts";

/** Answers `GET /v1/scores` (section 4.3). */
export async function serveScores(
  call: HandlerCall<ScoresQuery>,
  representations: ScoreRepresentations,
): Promise<HandlerReply> {
  const { query, contents, account } = call;
  await completeFor(call);
  const check = await contents.select(query, call);
  const set = await contents.set(query.factor, check.snapshotId);
  if (set === null) {
    throw new Refusal(
      "score_snapshot_not_available",
      `This server serves a recording without the rows of the ${query.factor} score set ${check.snapshotId}`,
      { details: { proved: false } },
    );
  }
  const representation = representations.of({ check, set }, query);
  if (representation === null) {
    throw new Refusal(
      "ticker_not_found",
      `${query.ticker} is not in the ${query.factor} score set`,
      {
        details: { field: "ticker", rule: "must be in the selected factor's set" },
        ...tickerHint(query.ticker ?? "", set.set.rows.tickers),
      },
    );
  }
  const etag = representation.etagFor(account.id);
  const headers = [...representation.headers, ["ETag", etag] as const];
  if (matchesEntityTag(call.request.header("if-none-match"), etag)) {
    return { status: 304, headers, body: null, serves: check.snapshotId };
  }
  return {
    status: 200,
    headers: [...headers, ...representation.contentHeaders],
    body: representation.body,
    serves: check.snapshotId,
  };
}

// Completes only the hours that the answer depends on, so that a later failing hour does not affect it.
async function completeFor(call: HandlerCall<ScoresQuery>): Promise<void> {
  const { nowMs, query: { factor, view } } = call;
  const throughMs = view.kind === "at" ? Math.min(epochMsOf(view.at), nowMs) : nowMs;
  const working = call.completeChecks(factor, throughMs);
  if (working === undefined) return;
  try {
    await working;
  } catch (error) {
    const isThere = view.kind === "snapshot" &&
      await call.contents.select(call.query, call).then(() => true, () => false);
    if (!isThere) throw error;
  }
}

// An unknown ticker may differ from one of the set only in dots and hyphens.
function tickerHint(ticker: string, tickers: readonly string[]): { readonly hint?: string } {
  const plain = (name: string) => name.replaceAll(/[.-]/g, "");
  const closest = tickers.find((candidate) => plain(candidate) === plain(ticker));
  return closest === undefined ? {} : { hint: `the set has ${closest}` };
}
