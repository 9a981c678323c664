import type { JournalEntry } from "../../../base/contract/http/journal_entry.ts";
import { endpointOf } from "../../../base/contract/http/endpoint.ts";
import { splitTarget } from "../../../server/pipeline/route.ts";

/** Requests of a user to one endpoint. */
export interface EndpointUse {
  /** Name of the user. */
  readonly user: string;
  /** Name of the endpoint. */
  readonly endpoint: string;
  /** Successful answers. */
  readonly answered: number;
  /** Answers without a request to the service. */
  readonly free: number;
  /** Refusals. */
  readonly refused: number;
  /** Requests sent to the service. */
  readonly requests: number;
  /** Downloads started at the service. */
  readonly downloads: number;
}

/** Description of a refused request. */
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

/** Requests of the users since the relay started. */
export class Activity {
  readonly #uses = new Map<string, EndpointUse>();
  readonly #refusals: RefusalNote[] = [];

  /** Adds a finished request. */
  record(entry: JournalEntry): void {
    const isRefused = entry.code !== null;
    if (isRefused) this.#note(entry);
    if (entry.account === null) return;
    const endpoint = endpointOf(splitTarget(entry.target).path)?.id ?? "other";
    const key = `${entry.account} ${endpoint}`;
    const known = this.#uses.get(key) ??
      {
        user: entry.account,
        endpoint,
        answered: 0,
        free: 0,
        refused: 0,
        requests: 0,
        downloads: 0,
      };
    this.#uses.set(key, {
      ...known,
      answered: known.answered + Number(!isRefused),
      free: known.free + Number(!isRefused && entry.spentRequests === 0),
      refused: known.refused + Number(isRefused),
      requests: known.requests + entry.spentRequests,
      downloads: known.downloads + entry.spentDownloads,
    });
  }

  /** Requests by user and endpoint. */
  get uses(): readonly EndpointUse[] {
    return [...this.#uses.values()];
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
