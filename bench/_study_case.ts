/**
 * What `bench/study.ts` measures: a service with a synthetic world's scores at each evening, and a study over them.
 *
 * @module
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { openStudy } from "../mod.ts";
import type { Factor } from "../src/base/contract/factor.ts";
import type { Instant } from "../src/base/contract/instant.ts";
import { createScoreServer } from "../src/server/mod.ts";
import { type CompletedCheck, planCheck } from "../src/base/store/checks/complete_check.ts";
import { Store } from "../src/base/store/store.ts";
import { createCheckSource } from "../src/server/world/check_source.ts";
import { makeWorldModel } from "../src/server/world/world_model.ts";
import { toWorldParameters } from "../src/server/world/world_options.ts";

/** The key of the bench's account. */
export const KEY = "svc_test_bench0123456789";

const FACTORS = ["ecpnd", "ecqdi"] as const;
const DAY_MS = 86_400_000;

/** How large the study is. */
export interface StudySize {
  /** Number of daily views. */
  readonly days: number;
  /** Number of tickers. */
  readonly tickers: number;
}

/** A study that was recorded, with what it was recorded from. */
export interface RecordedStudy {
  /** Its folder. */
  readonly folder: string;
  /** The instants of its views, ascending. */
  readonly at: readonly Instant[];
  /** The service. */
  readonly server: ReturnType<typeof createScoreServer>;
}

/** Makes a service in a folder, and records a panel of both factors from it. */
export async function recordStudy(home: string, size: StudySize): Promise<RecordedStudy> {
  const { store, at } = await makeService(join(home, "service"), size);
  const server = createScoreServer({
    store,
    accounts: [{
      id: "bench",
      factors: FACTORS,
      keys: [{ key: KEY }],
      limits: { requestsPerMinute: 10_000 },
    }],
    clock: { at: at.at(-1)! },
  });
  const folder = join(home, "study");
  const now = () => Date.parse(at.at(-1)!);
  const study = await openStudy(folder, {
    apiKey: KEY,
    fetch: server.fetch,
    now,
    mode: "auto",
    environment: {},
  });
  await study.panel(FACTORS, { at, progress: false });
  await study.close();
  return { folder, at, server };
}

/** A service whose scores are those of a world: six decimals, of which some hundred change from one day to the next. */
async function makeService(folder: string, { days, tickers }: StudySize) {
  await mkdir(folder, { recursive: true });
  const model = makeWorldModel(toWorldParameters({ tickers, hours: 24 * (days * 2 + 30) }));
  const source = createCheckSource(model);
  const evenings: Instant[] = [];
  for (let ms = model.liveFromMs - model.liveFromMs % DAY_MS; evenings.length < days;) {
    ms += DAY_MS;
    const hour = new Date(ms + 21 * 3_600_000);
    const isWeekday = hour.getUTCDay() % 6 !== 0;
    if (isWeekday && !model.incidents.isOutage(hour.getTime())) evenings.push(hour.toISOString());
  }
  const store = await Store.create(folder, {
    format: 1,
    kind: "world",
    description: "bench",
    synthetic: true,
    complete: { from: evenings[0]!, through: evenings.at(-1)! },
    origin: { name: "bench" },
  }, { durable: false });
  for (const factor of FACTORS) await putEvenings(store, { factor, evenings, source });
  return { store, at: evenings };
}

async function putEvenings(
  store: Store,
  { factor, evenings, source }: {
    readonly factor: Factor;
    readonly evenings: readonly Instant[];
    readonly source: ReturnType<typeof createCheckSource>;
  },
): Promise<void> {
  let previous: CompletedCheck | null = null;
  for (const evening of evenings) {
    const input = (await source(factor, evening))!;
    previous = planCheck(input, previous);
    if (previous.published) await store.putSet(previous.set);
    await store.putCheck({ check: previous.check, retrievedAt: evening, origin: "bench" });
  }
}
