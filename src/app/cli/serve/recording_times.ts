import { type Factor, FACTORS } from "../../../base/contract/factor.ts";
import type { Instant } from "../../../base/contract/instant.ts";
import { findProvedSpan, type ProvedSpan } from "../../../base/store/checks/proved_span.ts";
import { proveCheckAt } from "../../../base/store/checks/select_check.ts";
import type { StoreReader } from "../../../base/store/store_reader.ts";

interface Recorded {
  readonly factor: Factor;
  /** Span in which the recording proves that its last check is the latest. */
  readonly span: ProvedSpan | null;
  /** Time from which it has its last release. */
  readonly releasedAt: Instant | null;
}

/**
 * Notice of what a partial recording cannot serve at a time, and of times at which it can; `null` if it can serve everything.
 */
export async function describeRecordingTimes(
  store: StoreReader,
  now: Instant,
): Promise<string | null> {
  const recorded = await Promise.all(FACTORS.map((factor) => readRecorded(store, factor)));
  const lacks = (await Promise.all(recorded.map((part) => lacksAt(store, part, now)))).flat();
  if (lacks.length === 0) return null;
  return `at the server's time the recording ${lacks.join(" and ")}; ${adviceOf(recorded)}`;
}

async function readRecorded(store: StoreReader, factor: Factor): Promise<Recorded> {
  const releases = await store.listReleases(factor);
  return {
    factor,
    span: await findProvedSpan(store, factor, null),
    releasedAt: releases.at(-1)?.availableFrom ?? null,
  };
}

async function lacksAt(store: StoreReader, recorded: Recorded, now: Instant): Promise<string[]> {
  const { factor, span, releasedAt } = recorded;
  const isUnproved = span !== null && !(await proveCheckAt(store, factor, now)).known;
  return [
    ...(isUnproved ? [`does not determine the latest ${factor} set`] : []),
    ...(releasedAt !== null && releasedAt > now ? [`does not have the ${factor} release yet`] : []),
  ];
}

function adviceOf(recorded: readonly Recorded[]): string {
  const spans = recorded.flatMap(({ span }) => span ?? []);
  const releasedAt = lastOf(recorded.flatMap((part) => part.releasedAt ?? []));
  const begin = lastOf(spans.map(({ from }) => from));
  const end = spans.map(({ through }) => through).toSorted()[0] ?? releasedAt;
  const isTogether = begin === null || (end !== null && begin <= end);
  if (isTogether && (releasedAt === null || (end !== null && releasedAt <= end))) {
    return `--clock ${end} serves it as it was`;
  }
  const sets = isTogether
    ? [`--clock ${end} serves the latest sets as they were`]
    : recorded.flatMap(({ factor, span }) =>
      span === null ? [] : [`--clock ${span.through} serves the latest ${factor} set as it was`]
    );
  const releases = releasedAt === null ? [] : [`--clock ${releasedAt} serves the releases`];
  return [...sets, ...releases].join(", ");
}

function lastOf(instants: readonly Instant[]): Instant | null {
  return instants.toSorted().at(-1) ?? null;
}
