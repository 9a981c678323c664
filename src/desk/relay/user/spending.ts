import type { Account } from "../../../server/account/accounts.ts";
import {
  type OpenMinute,
  type SpentMinute,
  UsageLedger,
} from "../../../server/account/usage_ledger.ts";
import { minuteOf, minutesOfDay } from "../../../server/account/utc_windows.ts";

// Names of users have letters, digits, dots, hyphens and underscores, so no name can equal this prefix.
const ANSWERS = "answers:";

/** Spending of a user in a UTC clock minute and on its day. */
export interface UserMinute extends SpentMinute {
  /** True if it counts answers; false if it counts requests to the service. */
  readonly isOfAnswers: boolean;
}

/** Requests of users to the service, and answers to users, kept across restarts. */
export class Spending {
  readonly #ledger: UsageLedger;
  readonly #minutes = new Map<string, OpenMinute>();
  readonly #held = new Map<string, Set<{ requests: number; downloads: number }>>();

  /**
   * @param folder State folder of the relay
   * @throws {StorageError} If it cannot be written, or another relay uses it
   */
  constructor(folder: string | null) {
    this.#ledger = new UsageLedger(folder);
  }

  /** Spending of a user at a time. */
  of(user: string, nowMs: number): OpenMinute["usage"] {
    return this.#open(user, nowMs).usage;
  }

  /** Budget that questions on their way may still spend. */
  heldBy(user: string): Readonly<Record<"requests" | "downloads", number>> {
    const all = [...this.#held.get(user) ?? []];
    const sum = (kind: "requests" | "downloads") =>
      all.reduce((total, one) => total + one[kind], 0);
    return { requests: sum("requests"), downloads: sum("downloads") };
  }

  /**
   * Sets a cost aside. `take` says that a part of it is counted as spent, and returns false if nothing is left of it; `putBack`
   * sets it aside again, and `free` gives back the rest.
   */
  hold(user: string, cost: Readonly<Record<"requests" | "downloads", number>>) {
    const held = { ...cost };
    const all = this.#held.get(user) ?? new Set();
    this.#held.set(user, all.add(held));
    const change = (what: "request" | "download", by: 1 | -1) => {
      held.requests += by;
      if (what === "download") held.downloads += by;
    };
    return {
      take: (what: "request" | "download") => {
        const isHeld = held.requests > 0 && (what === "request" || held.downloads > 0);
        if (isHeld) change(what, -1);
        return isHeld;
      },
      putBack: (what: "request" | "download") => change(what, 1),
      free: () => void all.delete(held),
    };
  }

  /** Counts a request to the service before it is sent; the returned function takes it back. */
  spend(user: string, what: "request" | "download", nowMs: number): () => void {
    const minute = this.#open(user, nowMs);
    const kinds = what === "download" ? ["requests", "downloads"] as const : ["requests"] as const;
    for (const kind of kinds) minute.spend(kind);
    return () => {
      for (const kind of kinds) minute.giveBack(kind);
    };
  }

  /** Counts an answer. */
  answered(user: Account["id"], nowMs: number): void {
    this.#open(`${ANSWERS}${user}`, nowMs).spend("requests");
  }

  /** Minutes of the UTC day of a time. */
  day(nowMs: number): readonly UserMinute[] {
    return this.#ledger.list(minutesOfDay(nowMs)).map((spent) => {
      const isOfAnswers = spent.account.startsWith(ANSWERS);
      const account = isOfAnswers ? spent.account.slice(ANSWERS.length) : spent.account;
      return { ...spent, account, isOfAnswers };
    });
  }

  /** Closes the file. */
  close(): void {
    this.#ledger.close();
  }

  #open(account: string, nowMs: number): OpenMinute {
    const known = this.#minutes.get(account);
    if (known?.minute === minuteOf(nowMs)) return known;
    const opened = this.#ledger.open(account, nowMs);
    this.#minutes.set(account, opened);
    return opened;
  }
}
