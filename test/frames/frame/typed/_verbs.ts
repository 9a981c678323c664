/**
 * Types of the frames that verbs give: checked by `deno check`, never run. Each line under `@ts-expect-error` is a mistake
 * that must not compile.
 */
import pl, { type DataFrame, type Series } from "nodejs-polars";
import {
  compare,
  type Comparison,
  type Factor,
  type FactorApi,
  journalFrame,
  type PanelLayout,
  type ProvenanceName,
  type ScoreColumns,
  sessions,
  type Study,
  type TickerLayout,
  typed,
  type TypedFrame,
} from "../../../../mod.ts";
import type { ValueOf } from "../../../../src/frames/frame/typed/columns.ts";

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true
  : false;
/** Compiles if both types are the same. */
declare function same<A, B>(...proof: Equal<A, B> extends true ? [] : [never]): void;
/** Names of a frame's columns. */
type Names<Frame> = Frame extends TypedFrame<infer Columns> ? keyof Columns : never;
/** Values of a column. */
type Values<Frame, Name extends string> = Frame extends TypedFrame<infer Columns>
  ? ValueOf<Columns[Name & keyof Columns]>[]
  : never;

declare const api: FactorApi;
declare const study: Study;
declare const factor: Factor;
declare const factors: Factor[];
declare const name: string;
declare const layout: PanelLayout;
declare const tickers: TickerLayout;
declare const wanted: readonly ProvenanceName[];
declare const isWanted: boolean;
declare const own: DataFrame;
const at = ["2026-11-19T21:00:00Z"];
const days = { from: "2026-11-16", to: "2026-11-19" };

type CheckNames = "last_checked_at" | "data_through" | "status" | "prices_through";
type SetNames =
  | ("factor" | "factor_version" | "universe" | "snapshot_id" | "calculated_at")
  | ("source" | "retrieved_at");
type ReleaseNames =
  | ("factor" | "factor_version" | "universe" | "download_sha256" | "availability")
  | ("source" | "retrieved_at");

export async function scores(): Promise<void> {
  const frame = await api.scores("ecpnd");
  same<Names<typeof frame>, "ticker" | "ecpnd_score" | SetNames | CheckNames>();
  const scored: (number | null)[] = frame.getColumn("ecpnd_score").toArray();
  const published: (Date | null)[] = frame.getColumn("calculated_at").toArray();
  const through: (Date | null)[] = frame.getColumn("prices_through").toArray();
  const symbols: (string | null)[] = frame.getColumn("ticker").toArray();
  same<typeof frame, TypedFrame<ScoreColumns<"ecpnd">>>();
  // @ts-expect-error: the column is called ecpnd_score
  frame.getColumn("ecpnd_scores");
  // @ts-expect-error: it has the scores of the other factor
  frame.getColumn("ecqdi_score");
  // @ts-expect-error: a release has a checksum, a set has none
  frame.getColumn("download_sha256");
  // @ts-expect-error: a score can be null
  const sure: number[] = frame.getColumn("ecpnd_score").toArray();
  // @ts-expect-error: an instant is no text
  const texts: (string | null)[] = frame.getColumn("calculated_at").toArray();
  // @ts-expect-error: there is no such factor
  api.scores("ecpdn");
  // @ts-expect-error: the option is called provenance
  api.scores("ecpnd", { provenence: false });
  // @ts-expect-error: a column of releases
  api.scores("ecpnd", { provenance: ["sources"] });
  void [scored, published, through, symbols, sure, texts];
}

export async function provenanceOfScores(): Promise<void> {
  const bare = await api.scores("ecqdi", { provenance: false });
  same<Names<typeof bare>, "ticker" | "ecqdi_score">();
  const chosen = await api.scores("ecqdi", { provenance: ["snapshot_id", "source"] });
  same<Names<typeof chosen>, "ticker" | "ecqdi_score" | "snapshot_id" | "source">();
  const all = await api.scores("ecqdi", { at: "2026-11-19T15:00:00Z", provenance: true });
  same<Names<typeof all>, "ticker" | "ecqdi_score" | SetNames | CheckNames>();
  // Known at run time only: all columns that there may be.
  const maybe = await api.scores("ecqdi", { provenance: isWanted });
  same<Names<typeof maybe>, "ticker" | "ecqdi_score" | SetNames | CheckNames>();
  const some = await api.scores("ecqdi", { provenance: wanted });
  some.getColumn("snapshot_id");
  // @ts-expect-error: provenance was left out
  bare.getColumn("snapshot_id");
  // @ts-expect-error: this column was not chosen
  chosen.getColumn("universe");
}

export async function severalFactors(): Promise<void> {
  const either = await api.scores(factor);
  same<Names<typeof either>, "ticker" | "ecpnd_score" | "ecqdi_score" | SetNames | CheckNames>();
  either.getColumn(`${factor}_score`);
  for (const one of ["ecpnd", "ecqdi"] as const) {
    (await api.scores(one)).getColumn(`${one}_score`);
  }
  // @ts-expect-error: the score of no factor has this name
  either.getColumn("score");
}

export async function releases(): Promise<void> {
  const release = await api.history("ecpnd");
  same<Names<typeof release>, "date" | "ticker" | "ecpnd_score" | ReleaseNames>();
  const days: (Date | null)[] = release.getColumn("date").toArray();
  const text = release.getColumn("ticker");
  same<(typeof text)["dtype"], pl.Utf8>();
  const small = await api.history("ecpnd", { tickers: "categorical", provenance: false });
  same<Names<typeof small>, "date" | "ticker" | "ecpnd_score">();
  const category = small.getColumn("ticker");
  same<(typeof category)["dtype"], pl.Categorical>();
  const open = await api.history(factor, { tickers });
  same<Values<typeof open, "ticker">, (string | null)[]>();
  const lazy = await api.history("ecpnd", { lazy: true });
  const collected = typed(await lazy.collect(), { date: pl.Date, ticker: pl.Utf8 });
  same<Names<typeof collected>, "date" | "ticker">();
  const kept = await api.releases("ecpnd");
  const counted: (number | null)[] = kept.getColumn("row_count").toArray();
  // @ts-expect-error: a release has no sets
  release.getColumn("snapshot_id");
  // @ts-expect-error: the layout is called categorical
  api.history("ecpnd", { tickers: "category" });
  // @ts-expect-error: rows are counted in row_count
  kept.getColumn("rows");
  // @ts-expect-error: this is a lazy frame, which has no columns yet
  lazy.getColumn("ticker");
  void [days, counted];
}

export async function changesBetween(): Promise<void> {
  const sets = compare(await api.scores("ecpnd"), await api.scores("ecpnd"));
  same<typeof sets, Comparison<"sets">>();
  const shifts: (number | null)[] = sets.changes.getColumn("rank_shift").toArray();
  sets.summary.getColumn("mean_abs_rank_shift");
  const releases = compare(await api.history("ecqdi"), await api.history("ecqdi"));
  const days: (Date | null)[] = releases.changes.getColumn("date").toArray();
  releases.summary.getColumn("sessions");
  const unknown = compare(own, own);
  same<typeof unknown, Comparison>();
  unknown.changes.getColumn("date");
  unknown.changes.getColumn("rank_shift");
  // @ts-expect-error: sets have no dates
  sets.changes.getColumn("date");
  // @ts-expect-error: releases have no ranks
  releases.changes.getColumn("rank_shift");
  // @ts-expect-error: the column is called move
  unknown.changes.getColumn("moved");
  void [shifts, days];
}

export async function panels(): Promise<void> {
  const one = await api.panel("ecpnd", { at });
  same<Names<typeof one>, "at" | "ticker" | "ecpnd_score" | SetNames>();
  const both = await api.panel(["ecpnd", "ecqdi"], { at });
  same<Names<typeof both>, "at" | "ticker" | "score" | SetNames>();
  const listed = await api.panel(["ecqdi"], { at });
  same<Names<typeof listed>, "at" | "ticker" | "ecqdi_score" | SetNames>();
  const dated = await api.panel("ecpnd", { sessions: days });
  same<Names<typeof dated>, "date" | "at" | "ticker" | "ecpnd_score" | SetNames>();
  const checked = await api.panel("ecpnd", { at, every: "check" });
  same<Names<typeof checked>, "at" | "ticker" | "ecpnd_score" | SetNames | CheckNames>();
  const bare = await api.panel("ecpnd", { at, provenance: false });
  same<Names<typeof bare>, "at" | "ticker" | "ecpnd_score">();
  const wide = await api.panel(["ecpnd", "ecqdi"], { at, layout: "wide" });
  same<
    Names<typeof wide>,
    | ("at" | "ticker" | "ecpnd_score" | "ecqdi_score" | "ecpnd_snapshot_id" | "ecpnd_source")
    | ("ecqdi_snapshot_id" | "ecqdi_source")
  >();
  const narrow = await api.panel("ecqdi", { sessions: days, layout: "wide" });
  same<
    Names<typeof narrow>,
    "date" | "at" | "ticker" | "ecqdi_score" | "ecqdi_snapshot_id" | "ecqdi_source"
  >();
  const either = await api.panel(["ecpnd", "ecqdi"], { at, layout });
  either.getColumn("score");
  either.getColumn("ecpnd_source");
  const several = await api.panel(factors, { at });
  several.getColumn("score");
  several.getColumn("ecpnd_score");
  // @ts-expect-error: two factors share a column score
  both.getColumn("ecpnd_score");
  // @ts-expect-error: times that are no sessions have no date
  one.getColumn("date");
  // @ts-expect-error: a panel of sets says nothing of checks
  one.getColumn("status");
  // @ts-expect-error: a wide panel has one such column for each factor
  wide.getColumn("snapshot_id");
  // @ts-expect-error: no such layout
  api.panel("ecpnd", { at, layout: "broad" });
  // @ts-expect-error: the option is called sessions
  api.panel("ecpnd", { session: days });
}

export async function otherVerbs(): Promise<void> {
  const list = await api.factors();
  same<
    Names<typeof list>,
    "factor" | "score_name" | "factor_version" | "meaning" | "scores" | "history"
  >();
  const published = await api.publications("ecpnd", { from: "2026-11-19" });
  const superseded: (Date | null)[] = published.getColumn("superseded_at").toArray();
  const status: (number | null)[] = api.log().getColumn("status").toArray();
  for await (const fresh of api.watch("ecqdi", { provenance: false })) {
    same<Names<typeof fresh>, "ticker" | "ecqdi_score">();
  }
  const closes: (Date | null)[] = sessions("2026-11-16", "2026-11-19").getColumn("close").toArray();
  const complete: (boolean | null)[] = journalFrame([]).getColumn("complete").toArray();
  // @ts-expect-error: sets have no column published_at
  published.getColumn("published_at");
  // @ts-expect-error: a log has no column code
  api.log().getColumn("code");
  // @ts-expect-error: a session closes at close
  sessions("2026-11-16", "2026-11-19").getColumn("closes");
  void [superseded, status, closes, complete];
}

export async function studies(): Promise<void> {
  const scored = await study.scores("ecpnd", { provenance: ["source"] });
  same<Names<typeof scored>, "ticker" | "ecpnd_score" | "source">();
  const wide = await study.panel(["ecpnd", "ecqdi"], { at, layout: "wide" });
  wide.getColumn("ecqdi_snapshot_id");
  const release = await study.history("ecqdi", { tickers: "categorical" });
  same<Names<typeof release>, "date" | "ticker" | "ecqdi_score" | ReleaseNames>();
  (await study.publications("ecpnd", { from: "2026-11-19" })).getColumn("scored");
  (await study.releases("ecpnd")).getColumn("first_session");
  (await study.factors()).getColumn("meaning");
  study.log().getColumn("request_id");
  const shared: FactorApi["scores"] = study.scores;
  // @ts-expect-error: the study was asked for one provenance column
  scored.getColumn("status");
  // @ts-expect-error: a release has no prices
  release.getColumn("prices_through");
  void shared;
}

export async function methods(): Promise<void> {
  const frame = await api.scores("ecpnd", { provenance: ["calculated_at"] });
  type All = "ticker" | "ecpnd_score" | "calculated_at";
  const head = frame.filter(pl.col("ecpnd_score").gt(0.5)).sort("ecpnd_score", true).head(3);
  same<Names<typeof head>, All>();
  const tail = frame.tail().limit(2).slice(0, 1).reverse().unique("ticker").dropNulls("ticker");
  same<Names<typeof tail>, All>();
  const chosen = frame.select("ticker", "calculated_at");
  same<Names<typeof chosen>, "ticker" | "calculated_at">();
  const rest = frame.drop("calculated_at");
  same<Names<typeof rest>, "ticker" | "ecpnd_score">();
  const renamed = frame.rename({ ecpnd_score: "signal" });
  same<Names<typeof renamed>, "ticker" | "signal" | "calculated_at">();
  const numbered = frame.withRowIndex("place");
  same<Names<typeof numbered>, All | "place">();
  const [part] = frame.partitionBy("ticker");
  same<Names<typeof part>, All>();
  const nulls: (number | null)[] = frame.nullCount().getColumn("ticker").toArray();
  const added = frame.withColumn(sessions("2026-11-16", "2026-11-19").getColumn("date"));
  same<Names<typeof added>, All | "date">();
  // @ts-expect-error: no such column to sort by
  frame.sort("ecpnd");
  // @ts-expect-error: no such column to select
  frame.select("tickers");
  // @ts-expect-error: no such column to drop
  frame.drop("score");
  // @ts-expect-error: no such column to rename
  frame.rename({ score: "signal" });
  // @ts-expect-error: it was selected away
  chosen.getColumn("ecpnd_score");
  // @ts-expect-error: it was dropped
  rest.getColumn("calculated_at");
  // @ts-expect-error: it has another name now
  renamed.getColumn("ecpnd_score");
  // @ts-expect-error: no such column to group by
  frame.groupBy("sector");
  // @ts-expect-error: no such column to tell rows apart
  frame.unique("tickers");
  // @ts-expect-error: no such column
  frame.dropNulls("score");
  // @ts-expect-error: no such column
  frame.filter(pl.col("ecpnd_score").gt(0.5)).sort("ticker").getColumn("tickr");
  void nulls;
}

export async function joins(): Promise<void> {
  const [a, b] = [
    await api.scores("ecpnd", { provenance: ["status"] }),
    await api.scores("ecqdi", { provenance: ["status"] }),
  ];
  const joined = a.join(b, { on: "ticker", how: "left" });
  same<
    Names<typeof joined>,
    "ticker" | "ecpnd_score" | "ecqdi_score" | "status" | "status_right"
  >();
  const suffixed = a.join(b, { on: ["ticker"], suffix: "_q" });
  same<Names<typeof suffixed>, "ticker" | "ecpnd_score" | "ecqdi_score" | "status" | "status_q">();
  const kept = a.join(b, { on: "ticker", how: "anti" });
  same<typeof kept, typeof a>();
  const named = a.join(b.rename({ ticker: "symbol" }), { leftOn: "ticker", rightOn: "symbol" });
  same<Names<typeof named>, "ticker" | "ecpnd_score" | "ecqdi_score" | "status" | "status_right">();
  const prices = pl.DataFrame({ ticker: ["A"], close: [1] });
  const literal = a.join(prices, { on: "ticker" });
  const closes: (number | null)[] = literal.getColumn("close").toArray();
  // A frame without types: its columns can be read, and their values are not known; one's own stay known.
  const loose = a.join(own, { on: "ticker", how: "left" });
  const known: (number | null)[] = loose.getColumn("ecpnd_score").toArray();
  const unknown: unknown[] = loose.getColumn("close").toArray();
  const all = a.join(b, { on: "ticker", how: "full" });
  same<Values<typeof all, "ticker">, unknown[]>();
  // @ts-expect-error: the right frame has no such key
  a.join(b, { on: "ecpnd_score" });
  // @ts-expect-error: the key stands there once
  joined.getColumn("ticker_right");
  // @ts-expect-error: an anti join has no columns of the right frame
  kept.getColumn("ecqdi_score");
  // @ts-expect-error: values of a frame without types are not known to be numbers
  const numbers: (number | null)[] = loose.getColumn("close").toArray();
  void [closes, known, unknown, numbers];
}

export async function whatIsLost(): Promise<void> {
  const frame = await api.scores("ecpnd");
  const computed = frame.withColumn(pl.col("ecpnd_score").rank().alias("rank"));
  same<Values<typeof computed, "rank">, unknown[]>();
  same<Values<typeof computed, "ticker">, unknown[]>();
  const again = typed(computed, { ticker: pl.Utf8, rank: pl.Float64 });
  const ranks: (number | null)[] = again.getColumn("rank").toArray();
  const selected = frame.select("ticker", pl.col("ecpnd_score").mean());
  same<Values<typeof selected, "ecpnd_score">, unknown[]>();
  const [row] = frame.toRecords();
  const when: Date | null = row!.calculated_at;
  const score: number | null = row!.ecpnd_score;
  const column: (Date | null)[] = frame.toObject().retrieved_at;
  const dynamic: Series = frame.getColumn(name);
  // @ts-expect-error: not known to be numbers until the frame is typed again
  const early: number[] = computed.getColumn("rank").toArray();
  // @ts-expect-error: the frame was typed with two columns
  again.getColumn("ecpnd_score");
  // @ts-expect-error: a record has no such field
  void row!.ecpnd_scores;
  // @ts-expect-error: an instant can be missing
  when.getTime();
  // @ts-expect-error: a type of nodejs-polars is required
  typed(frame, { ticker: "text" });
  void [ranks, score, column, dynamic, early];
}

/** Arguments that are frames: typed ones and one's own. */
export async function asArguments(): Promise<void> {
  const frame = await api.scores("ecpnd");
  const plain: DataFrame = frame;
  const stated: DataFrame<ScoreColumns<"ecpnd">> = frame;
  const column: Series = frame.getColumn("calculated_at");
  const lost: DataFrame = frame.withColumns(pl.col("ticker"));
  pl.concat([frame, frame.head(1), own]);
  pl.DataFrame([frame.getColumn("ticker")]);
  const mixed: readonly DataFrame[] = [frame, own, await api.factors(), frame.select("ticker")];
  function readsScores(scores: TypedFrame<ScoreColumns<"ecpnd">>): number {
    return scores.height;
  }
  readsScores(frame.filter(pl.col("ticker").eq(pl.lit("A"))));
  // @ts-expect-error: scores of the other factor
  readsScores(await api.scores("ecqdi"));
  // @ts-expect-error: a column that it needs was selected away
  readsScores(frame.select("ticker"));
  // @ts-expect-error: other columns are stated than there are
  const wrong: DataFrame<ScoreColumns<"ecqdi">> = frame;
  // @ts-expect-error: the load was not awaited
  api.scores("ecpnd").getColumn("ticker");
  void [plain, stated, column, lost, mixed, wrong];
}

/** A registered test: its plan is checked, and its result has columns. */
export async function registered(): Promise<void> {
  const plan = {
    question: "Does it rank?",
    factor: "ecpnd",
    holdOut: { from: "2026-01-01" },
  } as const;
  await study.register({ ...plan, horizons: [1, 5], periods: { late: { from: "2024-01-01" } } });
  const { table } = await study.openHoldOut("main");
  const means: (number | null)[] = table.getColumn("mean_ic").toArray();
  // @ts-expect-error: a plan has horizons
  await study.register(plan);
  // @ts-expect-error: a hold-out has a beginning
  await study.register({ ...plan, horizons: 5, holdOut: {} });
  // @ts-expect-error: the column is called mean_ic
  table.getColumn("mean");
  void means;
}
