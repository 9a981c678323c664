import { displayAs } from "../../frames/notebook/display_as.ts";
import { countText } from "../../base/wording/number_text.ts";
import { groupThousands } from "../../base/wording/group_thousands.ts";
import type { Allowance } from "./allowance.ts";
import { tableView, type TextTable } from "../verb/table.ts";

/** Cost of a load, as far as it is known in advance. */
export class LoadPlan {
  static {
    displayAs(LoadPlan, (shown) => tableView(() => shown.#table()));
  }

  /** Short description of the load. */
  readonly description!: string;
  /** Fewest requests that it can need. */
  readonly requestsAtLeast!: number;
  /** Most requests that it can need. */
  readonly requestsAtMost!: number;
  /** Most file downloads that it can start. */
  readonly downloadsAtMost!: number;
  /** Short description of the part that the store answers. */
  readonly fromStore!: string;
  /** Reason why fewer requests may suffice; `null` if the cost is exact. */
  readonly rangeReason!: string | null;
  /** Requests of the day that the load leaves for others. */
  readonly reserve!: number;
  /** Remaining allowance of the account. */
  readonly allowance!: Allowance;
  /** True if the server reported that its clock stands still, so that its minute never ends. */
  readonly isClockStopped!: boolean;

  /**
   * Compares the costs with the allowance.
   *
   * @param costs Costs of the load
   * @ignore
   */
  constructor(costs: LoadCosts & Pick<LoadPlan, "reserve" | "allowance" | "isClockStopped">) {
    Object.assign(this, costs);
  }

  /** True if the day's budgets suffice for the most that the load can need, besides the reserve. */
  get fitsToday(): boolean {
    const { day, download } = this.allowance;
    const requestsLeft = this.requestsAtMost === 0 ? 0 : day.remaining - this.reserve;
    return this.requestsAtMost <= requestsLeft && this.downloadsAtMost <= download.remaining;
  }

  /** Largest number of one-minute windows that the requests need, including the current one. */
  get minutesAtMost(): number {
    const { minute } = this.allowance;
    const beyond = Math.max(0, this.requestsAtMost - minute.remaining);
    return this.requestsAtMost === 0 ? 0 : 1 + Math.ceil(beyond / minute.limit);
  }

  #stoppedNotes(): readonly string[] {
    if (!this.isClockStopped || this.minutesAtMost <= 1) return [];
    const { remaining } = this.allowance.minute;
    return [
      `The server's clock stands still, so its minute never ends and only ${remaining} requests can be sent; ` +
      "let the clock run (--clock-rate 1, demo({ rate: 1 }))",
    ];
  }

  #table(): TextTable {
    const { requestsAtLeast: least, requestsAtMost: most, downloadsAtMost, allowance } = this;
    const requests = least === most
      ? groupThousands(most)
      : `${groupThousands(least)} to ${groupThousands(most)}`;
    const downloads = downloadsAtMost === 0 ? "0" : `at most ${downloadsAtMost}`;
    const verdict = this.fitsToday
      ? "The day's budgets suffice"
      : "The day's budgets may not suffice";
    return {
      title: `Cost of ${this.description}`,
      header: ["", "needed", "left today"],
      rows: [
        ["requests", requests, groupThousands(Math.max(0, allowance.day.remaining - this.reserve))],
        ["downloads", downloads, groupThousands(allowance.download.remaining)],
      ],
      notes: [
        this.fromStore,
        ...(this.rangeReason === null ? [] : [this.rangeReason]),
        this.minutesAtMost === 0
          ? verdict
          : `${verdict}; at most ${countText(this.minutesAtMost, "minute")} at the rate limit`,
        ...this.#stoppedNotes(),
      ],
    };
  }
}

/** Costs of a load, without what the account has left. */
export type LoadCosts = Omit<
  LoadPlan,
  "reserve" | "allowance" | "isClockStopped" | "fitsToday" | "minutesAtMost"
>;
