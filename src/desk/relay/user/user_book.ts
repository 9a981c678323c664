import { Buffer } from "node:buffer";
import { timingSafeEqual } from "node:crypto";
import { type Endpoint, SCOPES } from "../../../base/contract/http/endpoint.ts";
import { LIMITS } from "../../../base/contract/limits.ts";
import {
  type Account,
  DEFAULT_ACCOUNT_LIMITS,
  type Grant,
  type Licence,
} from "../../../server/account/accounts.ts";
import { sha256Hex } from "../../../base/store/layout.ts";
import type { RelayUser, UserFile } from "./user_file.ts";
import type { Access } from "../../../server/pipeline/pipeline_parts.ts";
import type { Asker } from "../upstream/asker.ts";
import type { Confirmed } from "../upstream/licence_lease.ts";
import type { Upstream } from "../upstream/upstream.ts";

// Under load many requests share one read of the file; the command that revokes a key takes longer than that.
const LOOK_AGAIN_AFTER_MS = 2;

/** Users with valid keys, by the hash of the key. */
export class UserBook {
  readonly #file: UserFile;
  #mark: string | null = null;
  #lookedMs = -Infinity;
  #byHash = new Map<string, RelayUser>();
  #byName = new Map<string, RelayUser>();

  /** @param file Users of the relay */
  constructor(file: UserFile) {
    this.#file = file;
  }

  /** Reads the file again if it changed, so that a revoked key is refused at once. */
  async refresh(): Promise<void> {
    const nowMs = performance.now();
    if (nowMs - this.#lookedMs < LOOK_AGAIN_AFTER_MS) return;
    const mark = this.#file.mark();
    if (mark !== this.#mark) await this.#read(mark);
    this.#lookedMs = nowMs;
  }

  async #read(mark: string): Promise<void> {
    const users = await this.#file.list();
    this.#byHash = new Map(
      users.filter(({ revokedAt }) => revokedAt === null).map((user) => [user.sha256, user]),
    );
    this.#byName = new Map(this.users.map((user) => [user.name, user]));
    this.#mark = mark;
  }

  /** Users with valid keys. */
  get users(): readonly RelayUser[] {
    return [...this.#byHash.values()];
  }

  /** The user of a name, or `null`. */
  named(name: string): RelayUser | null {
    return this.#byName.get(name) ?? null;
  }

  /** The user of a presented key, or `null`. */
  find(presentedKey: string): RelayUser | null {
    const presented = sha256Hex(presentedKey);
    const user = this.#byHash.get(presented);
    if (user === undefined) return null;
    // The lookup is by hash, which a guesser cannot control; the comparison takes constant time.
    return timingSafeEqual(Buffer.from(user.sha256), Buffer.from(presented)) ? user : null;
  }
}

/** Parts of the access to a relay. */
interface RelayAccessParts {
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
    return user && grantOf(user, licencesOf(user, this.#parts.upstream.lease.confirmed));
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
    const user = this.#parts.book.named(grant.account.id);
    return { ...grant, account: { ...grant.account, licences: licencesOf(user, confirmed) } };
  }
}

function licencesOf(user: RelayUser | null, confirmed: Confirmed | null): readonly Licence[] {
  return (confirmed?.entries ?? []).filter(({ factor }) => user?.factors?.includes(factor) ?? true)
    .map(({ factor }) => ({ factor, fromMs: -Infinity, untilMs: Infinity }));
}

/** A user as an account of the server's pipeline, with the current licences. */
function grantOf(user: RelayUser, licences: readonly Licence[]): Grant {
  const key = {
    sha256: user.sha256,
    revokedAtMs: Infinity,
    expiresAtMs: Infinity,
    scopes: new Set(SCOPES),
  };
  const account: Account = {
    id: user.name,
    licences,
    keys: [key],
    limits: {
      ...DEFAULT_ACCOUNT_LIMITS,
      requestsPerDay: user.requests ?? LIMITS.requestsPerDay,
      downloadsPerDay: user.downloads ?? LIMITS.downloadsPerDay,
    },
  };
  return { account, key };
}
