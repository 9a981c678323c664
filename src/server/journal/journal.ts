import type { JournalEntry } from "../../base/contract/http/journal_entry.ts";

/** Options of a journal. */
export interface JournalOptions {
  /** Number of entries to keep; 0 keeps none but still counts all. @default 1000 */
  readonly capacity?: number;
  /** Called with every entry, for example to write it to a file. @default nothing */
  readonly onEntry?: (entry: JournalEntry) => void;
}

/** Requests of a server, with account, cost and answer: the last entries, and totals. */
export class Journal {
  readonly #capacity: number;
  readonly #onEntry: ((entry: JournalEntry) => void) | undefined;
  readonly #entries: { readonly entry: JournalEntry; readonly arrival: number }[] = [];
  readonly #byOutcome = new Map<string, number>();
  readonly #byAccount = new Map<string, { requests: number; downloads: number }>();
  #complaints = 0;
  #next = 0;
  #total = 0;

  /**
   * Creates an empty journal.
   *
   * @param options Options of the journal
   */
  constructor(options: JournalOptions = {}) {
    this.#capacity = options.capacity ?? 1000;
    this.#onEntry = options.onEntry;
  }

  /**
   * Adds an entry; the oldest is dropped once the capacity is reached.
   *
   * @param arrival Number of the request in order of arrival; entries are added when an answer has ended
   */
  record(entry: JournalEntry, arrival: number): void {
    this.#total++;
    this.#complaints += entry.complaints.length;
    const outcome = entry.code === null ? String(entry.status) : `${entry.status} ${entry.code}`;
    this.#byOutcome.set(outcome, (this.#byOutcome.get(outcome) ?? 0) + 1);
    if (entry.account !== null) this.#count(entry.account, entry);
    if (this.#capacity > 0) {
      this.#entries[this.#next] = { entry, arrival };
      this.#next = (this.#next + 1) % this.#capacity;
    }
    this.#onEntry?.(entry);
  }

  /** Last entries, in the order of arrival of their requests. */
  get entries(): readonly JournalEntry[] {
    return this.#entries.toSorted((a, b) => a.arrival - b.arrival).map(({ entry }) => entry);
  }

  /** Number of requests since the start. */
  get total(): number {
    return this.#total;
  }

  /** Summary of the journal: outcomes, spending, and complaints about clients. */
  summary(): string {
    const outcomes = [...this.#byOutcome].sort((a, b) => b[1] - a[1])
      .map(([outcome, count]) => `  ${String(count).padStart(6)} × ${outcome}`);
    const accounts = [...this.#byAccount].map(([name, { requests, downloads }]) =>
      `  ${name}: ${requests} requests and ${downloads} downloads spent`
    );
    const complaints = this.entries.flatMap((entry) =>
      entry.complaints.map((complaint) => `  ${entry.at} ${entry.requestId} ${complaint}`)
    );
    return [
      counted(this.#total, "request"),
      ...outcomes,
      ...accounts,
      counted(this.#complaints, "complaint"),
      ...complaints.slice(-20),
    ].join("\n");
  }

  #count(account: string, entry: JournalEntry): void {
    const sum = this.#byAccount.get(account) ?? { requests: 0, downloads: 0 };
    sum.requests += entry.spentRequests;
    sum.downloads += entry.spentDownloads;
    this.#byAccount.set(account, sum);
  }
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
