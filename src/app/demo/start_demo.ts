import {
  checkOptions,
  FINITE_AMOUNT,
  type OptionRules,
  TEXT,
} from "../../base/arguments/check_options.ts";
import { HOUR_MS } from "../../base/calendar/civil_date.ts";
import { MarketCalendar } from "../../base/calendar/market_calendar.ts";
import { epochMsOf, type Instant, instantOf } from "../../base/contract/instant.ts";
import { LIMITS } from "../../base/contract/limits.ts";
import { onDisk } from "../../base/disk/on_disk.ts";
import { createScoreServer, type ScoreServer } from "../../server/score_server.ts";
import { openTemporaryFolder } from "../../base/disk/temporary_folder.ts";
import { type BuildProgress, buildWorld } from "../../server/world/build_world.ts";
import type { World } from "../../server/world/world.ts";
import { WORLD_RULES, type WorldOptions } from "../../server/world/world_options.ts";
import { createProgress, type Progress } from "../../frames/notebook/kernel/progress.ts";

// A shorter build shows no progress.
const QUIET_MS = 500;

/**
 * Progress of building a world, shown once it takes longer than half a second.
 *
 * @param start Starts the bar
 * @param now Clock, epoch milliseconds
 */
export function buildProgressBar(
  start = (): Progress => createProgress("Building the synthetic world"),
  now: () => number = Date.now,
) {
  const begunMs = now();
  let bar: Progress | null = null;
  const update = ({ done, total }: BuildProgress) => {
    if (bar === null && now() - begunMs <= QUIET_MS) return;
    bar ??= start();
    bar.update({ done, total, note: "sessions and hourly checks" });
  };
  return { update, finish: async () => await bar?.finish() };
}

/** Contents of the demo. */
export interface DemoOptions {
  /**
   * Size of the synthetic world: `small` is 60 tickers and a release of two years, built in about a second; `full` is 3,000
   * tickers and ten years, built in about twenty seconds. Both have hourly checks over about 120 sessions.
   *
   * @default "small"
   */
  readonly size?: "small" | "full";
  /**
   * Seed of every number.
   *
   * @default 7
   */
  readonly seed?: number;
  /**
   * Number of tickers, 1 to 20,000.
   *
   * @default 60 for small, 3000 for full
   */
  readonly tickers?: number;
  /**
   * Length of the releases in years, at most 30.
   *
   * @default 2 for small, 10 for full
   */
  readonly years?: number;
  /**
   * Number of hourly checks before the end; sets can be loaded within this span.
   *
   * @default 4180
   */
  readonly hours?: number;
  /**
   * Instant at which the world ends.
   *
   * @default "2026-11-20T15:00:00.000Z"
   */
  readonly end?: string;
  /**
   * Folder of the world, created or reused.
   *
   * @default a temporary folder that is removed when the process ends
   */
  readonly folder?: string;
  /**
   * Server seconds per real second; at 0 the server's clock stands still at the end of the world.
   *
   * @default 0
   */
  readonly rate?: number;
}

/** An embedded server over a synthetic world. */
export interface DemoServer {
  /** The server. */
  readonly server: ScoreServer;
  /** World that it serves. */
  readonly world: World;
  /** Key of its only account, which is licensed for both factors. */
  readonly apiKey: string;
}

const DEMO_KEY = "svc_test_demo";
const { factorVersions: _, ...RULES } = WORLD_RULES;
const DEMO_RULES: OptionRules<DemoOptions> = {
  ...RULES,
  size: { ...RULES.size, example: '"small"' },
  folder: TEXT,
  rate: FINITE_AMOUNT,
};

/**
 * Builds a synthetic world and serves it in process.
 *
 * @throws {TypeError} If an option does not exist, or its value has another type
 * @throws {RangeError} If a number is out of range
 * @throws {StorageError} If the folder cannot be written, or contains other files
 */
export async function startDemo(options: DemoOptions = {}): Promise<DemoServer> {
  checkOptions("call demo()", options, DEMO_RULES);
  const { rate = 0, folder: given, ...worldOptions } = options;
  const folder = given ?? (await openTemporaryFolder("demo")).path;
  const world = await buildAloud(folder, worldOptions);
  const server = createScoreServer({
    store: world.store,
    accounts: [{
      id: "demo",
      factors: ["ecpnd", "ecqdi"],
      keys: [{ key: DEMO_KEY }],
      // While the clock stands still no minute ends, so the day's allowance has to fit into one.
      limits: { requestsPerMinute: LIMITS.requestsPerDay },
    }],
    // With a running clock, hourly checks continue.
    ...(rate > 0 && { checks: world.source }),
  });
  server.clock.set(world.parameters.end, { rate });
  return { server, world, apiKey: DEMO_KEY };
}

/** Display of a demo's connection: the span of its score sets, and its clock. */
export function aboutDemo({ server, world }: DemoServer): readonly (readonly [string, string])[] {
  const { end, hours, tickers } = world.parameters;
  const calendar = new MarketCalendar();
  const endMs = epochMsOf(end);
  const fromMs = endMs - (hours - 1) * HOUR_MS;
  const closes = calendar.lastClosedAt(endMs) - calendar.lastClosedAt(fromMs);
  const { rate } = server.clock;
  return [
    ["score sets", `${minuteOf(instantOf(fromMs))} to ${minuteOf(end)}: ${closes} session closes`],
    ["tickers", `${tickers}, synthetic`],
    ["clock", rate === 0 ? `stands still at ${minuteOf(end)}` : `${rate} times real time`],
  ];
}

/** An instant as captions show it, such as `2026-11-20 15:00Z`. */
function minuteOf(instant: Instant): string {
  return `${instant.slice(0, 10)} ${instant.slice(11, 16)}Z`;
}

async function buildAloud(folder: string, options: WorldOptions): Promise<World> {
  const progress = buildProgressBar();
  try {
    return await onDisk(
      `build the world of the demo in ${folder}`,
      () => buildWorld(folder, { ...options, onProgress: progress.update }),
    );
  } finally {
    await progress.finish();
  }
}
