import type { Check } from "../../base/contract/scores/check.ts";
import {
  isKnownStatus,
  type KnownStatus,
  STATUS_PRIORITY,
} from "../../base/contract/scores/status.ts";
import type {
  BacklogEvent,
  PartialPricesEvent,
  SourceDelayEvent,
  TimelineEvent,
} from "./timeline_event.ts";

/** Applies an event to a check; the status remains the first one that applies (section 3). */
export function shapeCheck(check: Check, event: TimelineEvent): Check {
  switch (event.kind) {
    case "source_delay":
      return delaySource(check, event);
    case "backlog":
      return holdBacklog(check, event);
    case "partial_prices":
      return missPrices(check, event);
    default:
      return check;
  }
}

function delaySource(check: Check, { from }: SourceDelayEvent): Check {
  const dataThrough = from < check.dataThrough ? from : check.dataThrough;
  return { ...check, dataThrough, status: firstOf(check.status, "call_source_delayed") };
}

function holdBacklog(check: Check, event: BacklogEvent): Check {
  const { pendingCalls = 0, failedCalls = 0 } = event;
  const pendingFactorCalls = check.factor === "ecqdi" ? event.pendingFactorCalls ?? 0 : null;
  const waiting = pendingCalls + failedCalls + (pendingFactorCalls ?? 0);
  return {
    ...check,
    coverage: { ...check.coverage, pendingCalls, failedCalls, pendingFactorCalls },
    status: waiting > 0 ? firstOf(check.status, "call_updates_pending") : check.status,
  };
}

function missPrices(check: Check, { priceTickersCurrent }: PartialPricesEvent): Check {
  const { priceTickersTracked } = check.coverage;
  // A panel of unknown size cannot count as current.
  const isCurrent = priceTickersCurrent !== null && priceTickersTracked !== null &&
    priceTickersCurrent >= priceTickersTracked;
  return {
    ...check,
    coverage: { ...check.coverage, priceTickersCurrent },
    status: isCurrent ? check.status : firstOf(check.status, "partial_market_data"),
  };
}

// A status of a later edition of the API document is kept: its priority is unknown.
function firstOf(recorded: string, condition: KnownStatus): string {
  if (!isKnownStatus(recorded)) return recorded;
  return STATUS_PRIORITY.find((status) => status === recorded || status === condition) ?? recorded;
}
