// @heavy: an hour of faults
import { readFile } from "node:fs/promises";
import { inspect } from "node:util";
import type { DataFrame } from "nodejs-polars";
import { describe, expect, test } from "vitest";
import type { FactorApi } from "../../../src/client/factor_api.ts";
import { Store } from "../../../src/base/store/store.ts";
import { verifyStore } from "../../../src/base/store/verify_store.ts";
import { KEY, type Service, startService } from "../_service.ts";
import { DELIVERY_SCENARIOS } from "./_delivery_scenarios.ts";
import { HEADER_SCENARIOS } from "./_header_scenarios.ts";
import { LISTING_SCENARIOS } from "./_listing_scenarios.ts";
import { ROW_SCENARIOS } from "./_row_scenarios.ts";
import type { Failure, Load, Scenario } from "./_scenario.ts";
import { scenarioTable } from "./_scenario_table.ts";
import { SCORE_SET_SCENARIOS } from "./_score_set_scenarios.ts";
import { STATUS_SCENARIOS } from "./_status_scenarios.ts";
import { startTamperingProxy, type TamperingProxy } from "./_tampering_proxy.ts";

const HOURS = ["10", "12", "13", "15"].map((hour) => `2026-11-20T${hour}:00:00Z`);
const TICKERS = ["0012", "1E5", "A", "BF-B", "BRK.B", "NA", "TRUE", "ZZZZZZZZZZZZZZZZ"];
const SECOND = [0, 0.125, 0.3, 0.875, 0.5, null, 1, 0.375];
const FIRST = [0, 0.125, 0.25, null, 0.5, 0.75, 1, 0.375];
const FIRST_SET = "3f2b7c1e-9a4d-4c8b-8f10-2d6e5a7b9c01";

const LOADS: Readonly<Record<Load, (api: FactorApi, options: object) => Promise<DataFrame>>> = {
  latest: (api, options) => api.scores("ecpnd", options),
  csv: (api, options) => api.scores("ecpnd", { ...options, format: "csv" }),
  at: (api, options) => api.scores("ecpnd", { ...options, at: "2026-11-20T12:30:00Z" }),
  set: (api, options) => api.scores("ecpnd", { ...options, snapshotId: FIRST_SET }),
  factors: (api, options) => api.factors(options),
  history: (api, options) => api.history("ecpnd", { ...options, progress: false }),
  panel: (api, options) => api.panel("ecpnd", { ...options, at: HOURS, progress: false }),
};

const column = (name: string, values: readonly unknown[]) => (frame: DataFrame) =>
  expect(frame.getColumn(name).toArray()).toEqual(values);

const TRUTH: Readonly<Record<Load, readonly ((frame: DataFrame) => void)[]>> = {
  latest: [column("ticker", TICKERS), column("ecpnd_score", SECOND)],
  csv: [column("ticker", TICKERS), column("ecpnd_score", SECOND)],
  at: [column("ticker", TICKERS), column("ecpnd_score", FIRST)],
  set: [column("ticker", TICKERS), column("ecpnd_score", FIRST)],
  factors: [column("factor", ["ecpnd", "ecqdi"])],
  history: [column("ticker", ["A", "NA", "A", "NA"]), column("ecpnd_score", [0.5, null, 0.25, 1])],
  panel: [column("ecpnd_score", [...FIRST, ...FIRST, ...SECOND, ...SECOND])],
};

const ALL = [
  ...STATUS_SCENARIOS,
  ...DELIVERY_SCENARIOS,
  ...ROW_SCENARIOS,
  ...HEADER_SCENARIOS,
  ...SCORE_SET_SCENARIOS,
  ...LISTING_SCENARIOS,
];

// Each has a service of its own, and many wait for a slow one.
describe.concurrent("whatever the service does over a socket, the client gives the truth or the right error", () => {
  test.each(ALL.map((scenario) => [scenario.name, scenario] as const))(
    "%s",
    async (_name, scenario) => {
      const service = await startService();
      try {
        await play(scenario, service);
      } finally {
        await service.close();
      }
    },
  );

  test("README.md lists every scenario with what must happen", async () => {
    const text = await readFile(new URL("../README.md", import.meta.url), "utf8");
    expect(ALL.length).toBeGreaterThanOrEqual(60);
    const rowsOf = (table: string) =>
      table.split("\n").filter((line) => /^\| \d/.test(line)).map((line) =>
        line.replace(/ +/g, " ")
      );
    expect(rowsOf(text)).toEqual(rowsOf(scenarioTable(ALL)));
  });
});

async function play(scenario: Scenario, service: Service): Promise<void> {
  const proxy = await startTamperingProxy(service);
  const warnings: string[] = [];
  const logger = {
    debug: (text: string) => warnings.push(text),
    warn: (text: string) => warnings.push(text),
  };
  const api = await service.connectTo(proxy.url, { logger, ...scenario.connect });
  try {
    await scenario.before?.(api, service);
    const before = { journal: await settledJournal(service, proxy), requests: proxy.requests };
    for (const fault of scenario.faults ?? []) service.server.faults.add(fault);
    proxy.tampering = scenario.tampering ?? null;
    const outcome = await load(scenario, api, () => proxy.requests - before.requests);
    judge(scenario, outcome);
    const requests = proxy.requests - before.requests;
    if (scenario.requests !== undefined) expect(requests).toBe(scenario.requests);
    await settledJournal(service, proxy);
    const entries = service.server.journal.entries.slice(before.journal);
    expect(entries.flatMap(({ complaints }) => complaints)).toEqual(scenario.complaints ?? []);
    const downloads = entries.reduce((sum, { spentDownloads }) => sum + spentDownloads, 0);
    if (scenario.downloads !== undefined) expect(downloads).toBe(scenario.downloads);
    await judgeWhatIsKept(api);
    expect(inspect([outcome, api, warnings, api.log().toRecords()], { depth: 9 }))
      .not.toContain(KEY);
    if (scenario.recovers !== false) await recover(scenario, { api, service, proxy });
  } finally {
    await proxy.close();
  }
}

// The server notes a request when its delivery has ended, which may be after the client gave up.
async function settledJournal(service: Service, proxy: TamperingProxy): Promise<number> {
  const { journal } = service.server;
  for (let i = 0; i < 800 && journal.entries.length < proxy.requests; i++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return journal.entries.length;
}

type Outcome = { readonly frame: DataFrame } | { readonly error: unknown };

async function load(
  scenario: Scenario,
  api: FactorApi,
  countRequests: () => number,
): Promise<Outcome> {
  const { abortAtRequest } = scenario;
  const signal = abortAtRequest === undefined
    ? {}
    : { signal: abortingAt(() => countRequests() >= abortAtRequest) };
  try {
    return { frame: await LOADS[scenario.load](api, { ...scenario.options, ...signal }) };
  } catch (error) {
    return { error };
  }
}

// What has arrived is given a moment to be answered in part, however slow the machine is.
function abortingAt(hasCome: () => boolean): AbortSignal {
  const controller = new AbortController();
  const watching = setInterval(() => {
    if (!hasCome()) return;
    clearInterval(watching);
    setTimeout(() => controller.abort(), 100);
  }, 5);
  return controller.signal;
}

function judge({ must, load }: Scenario, outcome: Outcome): void {
  if (must === "truth") {
    if ("error" in outcome) throw outcome.error;
    for (const isTrue of TRUTH[load]) isTrue(outcome.frame);
    return;
  }
  if ("frame" in outcome) throw new Error(`a frame came instead of a ${must.error}`);
  judgeError(must, outcome.error as Error & { status?: number; code?: string | null });
}

function judgeError(
  must: Failure,
  error: Error & { readonly status?: number; readonly code?: string | null },
): void {
  expect([error.name, error.message]).toEqual([
    must.error,
    expect.stringContaining(must.says ?? ""),
  ]);
  if (must.status !== undefined) expect(error.status).toBe(must.status);
  if (must.code !== undefined) expect(error.code).toBe(must.code);
  if (must.error !== "AbortError") expect(error.message).toMatch(/^Cannot [a-z]/);
  if (must.error === "WaitError") {
    expect(error.message).toMatch(/20\d\d-|60\d\d-|tried \d times|\d{4}-/);
  }
}

// Nothing that was refused may be in the store, and nothing half.
async function judgeWhatIsKept(api: FactorApi): Promise<void> {
  const report = await verifyStore(await Store.open(api.store));
  expect(report.problems).toEqual([]);
}

async function recover(
  scenario: Scenario,
  parts: {
    readonly api: FactorApi;
    readonly service: Service;
    readonly proxy: { tampering: Scenario["tampering"] | null };
  },
): Promise<void> {
  const { api, service, proxy } = parts;
  service.server.faults.clear();
  proxy.tampering = null;
  // Whatever the service asked to wait for is over by then.
  service.clock.ms = Date.parse("2026-11-20T17:00:00Z");
  const frame = await LOADS[scenario.load](api, {});
  for (const isTrue of TRUTH[scenario.load]) isTrue(frame);
}
