import type { RelayStatus, UserActivity } from "./relay_status.ts";

/** Media type of the OpenMetrics text form. */
export const OPEN_METRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8";

interface Sample {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

interface Family {
  readonly name: string;
  readonly type: "gauge" | "counter";
  readonly help: string;
  readonly samples: readonly Sample[];
}

/** The status of a relay in the OpenMetrics text form, for Prometheus. */
export function openMetrics(status: RelayStatus): string {
  return [
    ...[...budgetsOf(status), ...usesOf(status), ...factsOf(status)].flatMap(linesOf),
    "# EOF",
    "",
  ].join("\n");
}

function budgetsOf({ allowance: { minute, day, download } }: RelayStatus): readonly Family[] {
  const ofEach = (kind: "remaining" | "limit") =>
    Object.entries({ minute, day, download })
      .map(([budget, left]) => ({ labels: { budget }, value: left[kind] }));
  return [
    gauge(
      "allowance_remaining",
      "Requests or downloads that the account has left",
      ofEach("remaining"),
    ),
    gauge("allowance_limit", "Size of each budget of the account", ofEach("limit")),
  ];
}

function factsOf(
  { factors, licence, store, waiting, diskTrouble, accountTrouble }: RelayStatus,
): readonly Family[] {
  const one = (value: number | null) => value === null ? [] : [{ value }];
  const ofEach = (read: (known: RelayStatus["factors"][number]) => number | null) =>
    factors.flatMap((known) =>
      one(read(known)).map((sample) => ({ labels: { factor: known.factor }, ...sample }))
    );
  const licensed = ofEach(({ factor }) => Number(licence.factors.includes(factor)));
  const checked = ofEach(({ lastCheckedAt: at }) => at === null ? null : Date.parse(at) / 1000);
  const [noAccount, noDisk] = [accountTrouble, diskTrouble].map((it) => one(Number(it !== null)));
  return [
    gauge("waiting", "Requests to the service that wait for their turn", one(waiting)),
    gauge("licensed", "1 for each factor whose licence is confirmed", licensed),
    gauge("last_check_timestamp_seconds", "Time of the last known check", checked),
    gauge("store_sets", "Score sets of the store", one(store.sets)),
    gauge("store_checks", "Checks of the store", one(store.checks)),
    gauge("disk_free_bytes", "Free bytes of the disk of the store", one(store.freeBytes)),
    gauge("account_trouble", "1 while the service refuses the account", noAccount!),
    gauge("disk_trouble", "1 while the disk cannot be written", noDisk!),
  ];
}

function gauge(name: string, help: string, samples: readonly Sample[]): Family {
  return { name, help, samples, type: "gauge" };
}

function usesOf({ users }: RelayStatus): readonly Family[] {
  const counter = (name: string, help: string, kind: keyof UserActivity): Family => ({
    ...{ name, help },
    type: "counter",
    samples: users.flatMap(({ name: user, sinceStart }) =>
      sinceStart === null ? [] : [{ labels: { user }, value: sinceStart[kind] }]
    ),
  });
  return [
    counter("answers", "Answers to users since the start", "answered"),
    counter("free_answers", "Answers without a request to the service", "free"),
    counter("refusals", "Refusals since the start", "refused"),
    counter("requests", "Requests to the service since the start", "requests"),
    counter("downloads", "Downloads at the service since the start", "downloads"),
  ];
}

function linesOf({ name, type, help, samples }: Family): readonly string[] {
  const family = `scoreframe_relay_${name}`;
  const sample = type === "counter" ? `${family}_total` : family;
  return [
    `# HELP ${family} ${help}`,
    `# TYPE ${family} ${type}`,
    ...samples.map(({ labels = {}, value }) => `${sample}${labelsOf(labels)} ${value}`),
  ];
}

function labelsOf(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function escapeLabel(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
