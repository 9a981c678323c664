import type { JournalEntry } from "../../../base/contract/http/journal_entry.ts";

/** Requests of a user since the relay started. */
export interface UserActivity {
  /** Successful answers. */
  readonly answered: number;
  /** Answers without a request to the service. */
  readonly free: number;
  readonly refused: number;
  /** Requests sent to the service. */
  readonly requests: number;
  /** Downloads started at the service. */
  readonly downloads: number;
}

/** A refused request. */
export interface RefusalNote {
  /** Time by the service's clock. */
  readonly at: string;
  /** Name of the user; `null` if no key was recognised. */
  readonly user: string | null;
  /** Method and path. */
  readonly request: string;
  /** Status and code. */
  readonly answer: string;
  /** Reason; `null` if there is none beyond the code. */
  readonly because: string | null;
}

const KEPT_REFUSALS = 20;
const NOTHING: UserActivity = { answered: 0, free: 0, refused: 0, requests: 0, downloads: 0 };

/** Requests of the users since the relay started. */
export class Activity {
  readonly #users = new Map<string, UserActivity>();
  readonly #refusals: RefusalNote[] = [];

  /** Adds a finished request. */
  record(entry: JournalEntry): void {
    const { account, code, spentRequests, spentDownloads } = entry;
    const isRefused = code !== null;
    if (isRefused) this.#note(entry);
    if (account === null) return;
    const known = this.#users.get(account) ?? NOTHING;
    this.#users.set(account, {
      answered: known.answered + Number(!isRefused),
      free: known.free + Number(!isRefused && spentRequests === 0),
      refused: known.refused + Number(isRefused),
      requests: known.requests + spentRequests,
      downloads: known.downloads + spentDownloads,
    });
  }

  /** The requests of each user by name. */
  get users(): ReadonlyMap<string, UserActivity> {
    return this.#users;
  }

  /** The last refusals, the newest first. */
  get refusals(): readonly RefusalNote[] {
    return this.#refusals.toReversed();
  }

  #note({ at, account, method, target, status, code, note }: JournalEntry): void {
    if (this.#refusals.length === KEPT_REFUSALS) this.#refusals.shift();
    this.#refusals.push({
      at,
      user: account,
      request: `${method} ${target}`.trim(),
      answer: `${status} ${code}`,
      because: note?.split("\n")[0] ?? null,
    });
  }
}
