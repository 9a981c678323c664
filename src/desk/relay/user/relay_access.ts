import type { Endpoint } from "../../../base/contract/http/endpoint.ts";
import type { Grant, Licence } from "../../../server/account/accounts.ts";
import type { Access } from "../../../server/pipeline/access.ts";
import type { Asker } from "../upstream/asker.ts";
import type { Confirmed } from "../upstream/licence_lease.ts";
import type { Upstream } from "../upstream/upstream.ts";
import { grantOf, type UserBook } from "./user_book.ts";

/** Parts of the access to a relay. */
export interface RelayAccessParts {
  /** Users whose keys work. */
  readonly book: UserBook;
  /** The service, which confirms the account's licence. */
  readonly upstream: Upstream;
  /** Sender of licence requests. */
  readonly own: Asker;
  /** Longest age of the list of factors for a request of it. */
  readonly latestAgeMs: number;
}

/** Keys of the users, with the licences of the account behind the relay. */
export class RelayAccess implements Access {
  readonly issuer = "relay";
  readonly #parts: RelayAccessParts;

  /** @param parts Users and service */
  constructor(parts: RelayAccessParts) {
    this.#parts = parts;
  }

  find(presentedKey: string): Grant | null {
    const user = this.#parts.book.find(presentedKey);
    return user && grantOf(user, licencesOf(this.#parts.upstream.lease.confirmed));
  }

  renew(grant: Grant, endpoint: Endpoint): Promise<Grant> | null {
    return this.#isRecent(endpoint) ? null : this.#ask(grant);
  }

  // A list from which the service has refused a factor is requested again, but not every time.
  #isRecent(endpoint: Endpoint): boolean {
    const { lease } = this.#parts.upstream;
    const { confirmed } = lease;
    if (confirmed === null || confirmed.entries.length === 0) return false;
    const isShown = endpoint.id === "factors" || confirmed.isCut === true;
    return !isShown || lease.ageMs < this.#parts.latestAgeMs;
  }

  async #ask(grant: Grant): Promise<Grant> {
    const { upstream, own } = this.#parts;
    const confirmed = await upstream.licence(own).catch((error: unknown) => {
      // While the service does not answer, the lease remains valid.
      const { confirmed } = upstream.lease;
      if (confirmed === null || confirmed.entries.length === 0) throw error;
      return confirmed;
    });
    return { ...grant, account: { ...grant.account, licences: licencesOf(confirmed) } };
  }
}

function licencesOf(confirmed: Confirmed | null): readonly Licence[] {
  return (confirmed?.entries ?? []).map(({ factor }) => ({
    factor,
    fromMs: -Infinity,
    untilMs: Infinity,
  }));
}
