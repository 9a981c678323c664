import { join } from "node:path";
import pl, { type DataFrame } from "nodejs-polars";
import { compare } from "../../client/compare.ts";
import { connect } from "../../client/connect.ts";
import type { FactorApi } from "../../client/factor_api.ts";
import { type DemoServer, startDemo } from "../demo/start_demo.ts";
import { IntegrityError } from "../../base/errors.ts";
import { formatFrame } from "../../frames/notebook/frame/frame_bundle.ts";
import { openTemporaryFolder } from "../../base/disk/temporary_folder.ts";
import { command, number } from "./command.ts";
import type { Terminal } from "./terminal.ts";

const EARLIER = "2026-11-16T15:00:00Z";
const SCORES = ["ticker", "ecpnd_score"] as const;

/** `demo`: shows the library's main job, in process and over a socket. */
export const runDemo = command({
  usage: ["demo [--seed N]"],
  about:
    `Loads score sets, views and a release from an embedded server over a synthetic world, and prints them.
Needs no key and no network, and leaves no files behind.`,
  options: { seed: number("seed of the world (default: 7)", { to: 0xffff_ffff }) },
  async run({ values: { seed = 7 }, terminal }) {
    using folder = await openTemporaryFolder("demo");
    const { path } = folder;
    await show(await startDemo({ seed, folder: join(path, "world") }), path, terminal);
    return 0;
  },
});

async function show(demo: DemoServer, folder: string, terminal: Terminal): Promise<void> {
  const { server, apiKey } = demo;
  const now = () => server.clock.nowMs();
  terminal.out(
    "An embedded synthetic service: no key, no network. Its clock is fixed at the end of the synthetic data.",
  );
  await using api = await connect({
    apiKey,
    baseUrl: "http://localhost",
    fetch: server.fetch,
    now,
  });
  const latest = await showViews(api, terminal);
  await showRelease(api, terminal);
  const listener = await server.listen();
  try {
    const cacheDir = join(folder, "client");
    await using remote = await connect({ apiKey, baseUrl: listener.url, cacheDir, now });
    title(terminal, `The same over a socket, ${new URL(listener.url).hostname}`);
    assertSame(latest, await remote.scores("ecpnd"), "the latest set over the socket");
    terminal.out("Same rows and numbers.");
  } finally {
    await listener.close();
    await server.close();
  }
}

async function showViews(api: FactorApi, terminal: Terminal): Promise<DataFrame> {
  title(terminal, "The factors of the account: await api.factors()");
  const factors = await api.factors();
  terminal.out(formatFrame(factors.select("factor", "score_name", "factor_version", "meaning")));

  title(terminal, 'The latest set: await api.scores("ecpnd")');
  const latest = await api.scores("ecpnd");
  terminal.out(formatFrame(latest));

  const snapshotId = String(latest.getColumn("snapshot_id").toArray()[0]);
  title(terminal, `The same set by its id: await api.scores("ecpnd", { snapshotId })`);
  assertSame(latest, await api.scores("ecpnd", { snapshotId }), `the set ${snapshotId}`);
  terminal.out(`${snapshotId}: the same numbers. A set is immutable.`);

  title(terminal, `As of an earlier instant: await api.scores("ecpnd", { at: "${EARLIER}" })`);
  const earlier = await api.scores("ecpnd", { at: EARLIER });
  terminal.out(formatFrame(earlier, { edgeRows: 3 }));

  title(terminal, "Changes between the two: compare(earlier, latest)");
  const { summary, changes } = compare(earlier, latest);
  terminal.out(formatFrame(summary.select("change", "tickers", "mean_abs_move", "max_abs_move")));
  terminal.out(`\n${formatFrame(largestMoves(changes), { edgeRows: 3 })}`);
  return latest;
}

async function showRelease(api: FactorApi, terminal: Terminal): Promise<void> {
  title(
    terminal,
    'The history release, verified before it becomes a frame: await api.history("ecpnd")',
  );
  const release = await api.history("ecpnd");
  terminal.out(formatFrame(release));

  title(terminal, "Share of the top quintile at month-end that is still in it a month later");
  const persistence = topQuintilePersistence(release, "ecpnd_score");
  terminal.out(formatFrame(persistence));
  const last = persistence.getColumn("month").toArray().at(-1);
  terminal.out(
    `retained is null for ${last}: the release does not reach the end of the next month.`,
  );
}

function title(terminal: Terminal, text: string): void {
  terminal.out(`\n# ${text}`);
}

function assertSame(expected: DataFrame, found: DataFrame, what: string): void {
  if (expected.select(...SCORES).frameEqual(found.select(...SCORES), true)) return;
  throw new IntegrityError(
    `Cannot continue the demo: expected ${what} to have the numbers of the latest set, got others; report this as a bug`,
  );
}

/** Tickers whose score changed, largest change first: `ticker`, `before`, `after`, `move`, `rank_shift`. */
export function largestMoves(changes: DataFrame): DataFrame {
  return changes.filter(pl.col("change").eq(pl.lit("moved"))).sort(pl.col("move").abs(), true)
    .select("ticker", "before", "after", "move", "rank_shift");
}

/**
 * Share of the top quintile at each month's last session that is still in it a month later.
 *
 * One row per month of the release. Columns: `month`, `top_quintile` (number of stocks), `retained` (share of them, 0 to
 * 1; null for the last month, whose next month is unknown), and `source` if the release has it. Stocks without a row at
 * the later month's end do not count.
 */
export function topQuintilePersistence(release: DataFrame, score: string): DataFrame {
  const month = pl.col("date").dt.strftime("%Y-%m").alias("month");
  const source = release.columns.filter((name) => name === "source");
  const monthEnds = release.select(month, "date", "ticker", score, ...source)
    .filter(pl.col("date").eq(pl.col("date").max().over("month")));
  const rank = pl.col(score).rank().over("month");
  const isTop = rank.gt(pl.col(score).count().over("month").mul(0.8)).fillNull(false);
  return monthEnds.withColumns(isTop.alias("top"))
    .withColumns(pl.col("top").shift(-1).over("ticker").cast(pl.Float64).alias("stays"))
    .filter(pl.col("top"))
    .groupBy("month")
    .agg(
      pl.col("ticker").count().alias("top_quintile"),
      pl.col("stays").mean().alias("retained"),
      ...source.map((name) => pl.col(name).first()),
    )
    .sort("month");
}
