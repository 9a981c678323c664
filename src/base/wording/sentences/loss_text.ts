import { groupThousands } from "../group_thousands.ts";

interface ReasonWords {
  /** In a legend or a table. */
  readonly label: string;
  /** Words for one row and for several. */
  readonly one: string;
  readonly several: string;
}

const WORDS: Readonly<Record<string, ReasonWords>> = {
  used: words("used", "is used", "are used"),
  ended: words(
    "used, up to the last close of a delisted stock",
    "return ends at the last close of a delisted stock",
    "returns end at the last close of a delisted stock",
  ),
  no_group: words(
    "used, but in no group",
    "has no group and counts in statistics over all stocks only",
    "have no group and count in statistics over all stocks only",
  ),
  refused_status: words(
    "set status not requested",
    "has a set status that was not requested",
    "have a set status that was not requested",
  ),
  excluded: words("excluded by where", "is excluded by where", "are excluded by where"),
  not_a_session: words(
    "date is not a session of the prices",
    "has a date that is not a session of the prices",
    "have a date that is not a session of the prices",
  ),
  superseded: words(
    "superseded before use",
    "was superseded before it could be used",
    "were superseded before they could be used",
  ),
  expired: words(
    "older than maxAgeSessions",
    "was older than maxAgeSessions allows",
    "were older than maxAgeSessions allows",
  ),
  no_score: words("no score", "has no score", "have no score"),
  no_entry_price: words("no price at entry", "has no price at entry", "have no price at entry"),
  beyond_prices: words(
    "return ends after the prices",
    "needs later prices",
    "need later prices",
  ),
  no_exit_price: words("no price at exit", "has no price at exit", "have no price at exit"),
};

/** Fate of rows of scores as a label: `no score`, `return ends after the last prices`. */
export function lossLabel(reason: string): string {
  return WORDS[reason]?.label ?? reason.replaceAll("_", " ");
}

/** Fate of so many rows of scores: `1 has no score`, `1,206 have no score`. */
export function lossText(reason: string, rows: number): string {
  const { one, several } = WORDS[reason] ?? words(reason, lossLabel(reason), lossLabel(reason));
  return `${groupThousands(rows)} ${rows === 1 ? one : several}`;
}

function words(label: string, one: string, several: string): ReasonWords {
  return { label, one, several };
}
