// Run as a process of its own: writes sets and checks into a store until it is done or killed.
import { Store } from "../../../src/base/store/store.ts";

const [folder = "", from = "0", to = "0"] = Deno.args;
const store = await Store.open(folder);
for (let n = Number(from); n < Number(to); n++) {
  const snapshotId = `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
  const calculatedAt = new Date(Date.UTC(2026, 0, 1) + n * 3_600_000).toISOString();
  const rows = { tickers: ["A", "NA"], scores: [(n % 100) / 100, null] };
  await store.putSet({
    factor: "ecqdi",
    snapshotId,
    factorVersion: "ecqdi-v1",
    calculatedAt,
    rows,
  });
  await store.putCheck({
    check: {
      factor: "ecqdi",
      scoreName: "ecqdi_score",
      universe: "test universe",
      factorVersion: "ecqdi-v1",
      snapshotId,
      calculatedAt,
      lastCheckedAt: calculatedAt,
      dataThrough: calculatedAt,
      status: "current",
      pricesThrough: "2025-12-31",
      coverage: {
        tickers: 2,
        priceTickersCurrent: null,
        priceTickersTracked: null,
        pendingCalls: 0,
        failedCalls: 0,
        scoredTickers: 1,
        pendingFactorCalls: 0,
        extra: {},
      },
      extra: {},
    },
    retrievedAt: calculatedAt,
    origin: "test",
  });
  const listed = await store.listChecks("ecqdi");
  if (!listed.some(({ lastCheckedAt }) => lastCheckedAt === calculatedAt)) {
    throw new Error(`the check of ${calculatedAt} is written, and not listed`);
  }
}
