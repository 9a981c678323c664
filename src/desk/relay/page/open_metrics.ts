import type { RelayStatus } from "./relay_status.ts";

/** Media type of the OpenMetrics text form. */
export const OPEN_METRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8";

const COUNTERS = [
  ["answers", "answered", "Answers to users since the start"],
  ["free_answers", "free", "Answers without a request to the service"],
  ["refusals", "refused", "Refusals since the start"],
  ["requests", "requests", "Requests to the service since the start"],
  ["downloads", "downloads", "Downloads at the service since the start"],
] as const;

/** A value, which is left out if it is not known, and its label. */
type Sample = readonly [value: number | null, label?: Readonly<Record<string, string>>];

/** The status of a relay in the OpenMetrics text form, for Prometheus. */
export function openMetrics(status: RelayStatus): string {
  const { allowance: { minute, day, download }, factors, licence, store, users } = status;
  const ofBudgets = (kind: "remaining" | "limit") =>
    Object.entries({ minute, day, download })
      .map(([budget, left]): Sample => [left[kind], { budget }]);
  const ofFactors = (read: (known: RelayStatus["factors"][number]) => number | null) =>
    factors.map((known): Sample => [read(known), { factor: known.factor }]);
  const left = "Requests or downloads that the account has left";
  const checked = ofFactors(({ lastCheckedAt: at }) => at === null ? null : Date.parse(at) / 1000);
  const licensed = ofFactors(({ factor }) => Number(licence.factors.includes(factor)));
  const facts = [
    ["waiting", "Requests to the service that wait for their turn", status.waiting],
    ["store_sets", "Score sets of the store", store.sets],
    ["store_checks", "Checks of the store", store.checks],
    ["disk_free_bytes", "Free bytes of the disk of the store", store.freeBytes],
    ["account_trouble", "1 while the service refuses the account", status.accountTrouble !== null],
    ["disk_trouble", "1 while the disk cannot be written", status.diskTrouble !== null],
  ] as const;
  return [
    ...family("allowance_remaining", left, ofBudgets("remaining")),
    ...family("allowance_limit", "Size of each budget of the account", ofBudgets("limit")),
    ...COUNTERS.flatMap(([name, kind, help]) => {
      const samples = users.map((user): Sample => [
        user.sinceStart?.[kind] ?? null,
        { user: user.name },
      ]);
      return family(name, help, samples, "counter");
    }),
    ...family("licensed", "1 for each factor whose licence is confirmed", licensed),
    ...family("last_check_timestamp_seconds", "Time of the last known check", checked),
    ...facts.flatMap(([name, help, fact]) =>
      family(name, help, [[fact === null ? null : Number(fact)]])
    ),
    ...["# EOF", ""],
  ].join("\n");
}

function family(
  name: string,
  help: string,
  samples: readonly Sample[],
  type = "gauge",
): readonly string[] {
  const full = `scoreframe_relay_${name}`;
  const sampled = type === "counter" ? `${full}_total` : full;
  const known = samples.flatMap(([value, label = {}]) => {
    // Names of users and factors have no character that is escaped otherwise in JSON.
    const pairs = Object.entries(label).map(([key, text]) => `{${key}=${JSON.stringify(text)}}`);
    return value === null ? [] : [`${sampled}${pairs.join("")} ${value}`];
  });
  return [`# HELP ${full} ${help}`, `# TYPE ${full} ${type}`, ...known];
}
