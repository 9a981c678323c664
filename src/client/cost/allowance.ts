import { type Instant, instantOf } from "../../base/contract/instant.ts";
import { LIMITS } from "../../base/contract/limits.ts";
import { displayAs } from "../../frames/notebook/display_as.ts";
import { groupThousands } from "../../base/wording/group_thousands.ts";
import { instantText } from "../../frames/notebook/instant_text.ts";
import {
  type AccountState,
  BUDGET_KINDS,
  type BudgetKind,
  localResetMs,
  settleClock,
  windowAt,
} from "../transport/allowance/account_state.ts";
import { tableView, type TextTable } from "../verb/table.ts";
import { ShownPromise } from "../../frames/notebook/shown_promise.ts";

const NAMES = { minute: "requests a minute", day: "requests a day", download: "downloads a day" };
const MEMBERS = ["minute", "day", "download", "inFlight", "heldUntil"] as const;

/** Remainder of one budget. */
export interface BudgetLeft {
  /** Size of the budget. */
  readonly limit: number;
  /** Remainder, less everything sent from this machine. */
  readonly remaining: number;
  /** Time of its renewal by this machine's clock. */
  readonly resetAt: Instant;
  /** True if the service reported it in this window; false if it is the grant of section 8 of the API document. */
  readonly isTold: boolean;
}

/**
 * Remaining allowance of an account, as known to this machine: the service's last report, less the requests sent since.
 * Requests of other machines show with the next answer.
 */
export class Allowance {
  static {
    displayAs(Allowance, (shown) => tableView(() => shown.#table()));
  }

  /** Requests of the current UTC minute. */
  readonly minute: BudgetLeft;
  /** Requests of the current UTC day. */
  readonly day: BudgetLeft;
  /** File downloads of the current UTC day. */
  readonly download: BudgetLeft;
  /** Requests in flight, of all notebooks of this machine; five are allowed. */
  readonly inFlight: number;
  /** End of a wait that the service requires for every request; `null` without one. */
  readonly heldUntil: Instant | null;

  /**
   * Computes the allowance of an account.
   *
   * @param known Known state
   * @param nowMs The time now, epoch milliseconds
   * @ignore
   */
  constructor(known: AccountState, nowMs: number) {
    const state = settleClock(known, nowMs);
    const left = (kind: BudgetKind): BudgetLeft => {
      const window = windowAt(state, kind, nowMs);
      const known = state.windows[kind];
      return {
        limit: window.limit,
        remaining: window.remaining,
        resetAt: instantOf(Math.ceil(localResetMs(state, window))),
        isTold: known?.resetMs === window.resetMs && known.lowestTold !== null,
      };
    };
    this.minute = left("minute");
    this.day = left("day");
    this.download = left("download");
    this.inFlight = state.flights.filter((flight) => flight.leaseUntilMs > nowMs).length;
    const holds = state.holds.filter((hold) => hold.scope === "*" && hold.untilMs > nowMs);
    this.heldUntil = holds[0] === undefined ? null : instantOf(Math.ceil(holds[0].untilMs));
  }

  #table(): TextTable {
    const notes = [
      `${this.inFlight} of ${LIMITS.concurrentRequests} concurrent requests are in flight`,
    ];
    if (this.heldUntil !== null) notes.push(`The service requires waiting until ${this.heldUntil}`);
    return {
      title: "Remaining allowance of the account",
      header: ["limit", "left", "of", "resets at"],
      rows: BUDGET_KINDS.map((kind) => {
        const { remaining, limit, resetAt, isTold } = this[kind];
        const left = `${isTold ? "" : "at most "}${groupThousands(remaining)}`;
        return [NAMES[kind], left, groupThousands(limit), instantText(new Date(resetAt))];
      }),
      notes,
    };
  }
}

/** Promise of an allowance: a notebook displays the table, and a budget read before `await` throws an error that says so. */
export function allowancePromise(read: () => Allowance | Promise<Allowance>): Promise<Allowance> {
  return new ShownPromise(Promise.resolve().then(read), {
    what: "an allowance",
    write: "const { day } = await api.allowance()",
    members: MEMBERS,
  });
}
