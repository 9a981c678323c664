import { type Scope, SCOPES } from "../../base/contract/http/endpoint.ts";
import { type Factor, FACTORS, parseFactor } from "../../base/contract/factor.ts";
import { isSha256 } from "../../base/contract/identifier.ts";
import { epochMsOf, type Instant, parseInstant } from "../../base/contract/instant.ts";
import { keyIssuerOf } from "../../base/contract/key.ts";
import { LIMITS } from "../../base/contract/limits.ts";
import { sha256Hex } from "../../base/store/layout.ts";
import type { EventOf, Timeline } from "../timeline/timeline.ts";

/** A customer account: its licences, its keys and, for tests, its limits. */
export interface AccountSpec {
  /** Name of the account, for the journal and the quota ledger; never sent. */
  readonly id: string;
  /** Licensed factors; without one the account has no subscription. */
  readonly factors: readonly (Factor | {
    /** Licensed factor. */
    readonly factor: Factor;
    /** Start of the access period. @default always */
    readonly from?: string;
    /** End of the access period, exclusive. @default never */
    readonly until?: string;
  })[];
  /** Keys, at most 10 of them active. */
  readonly keys: readonly {
    /** The key, `svc_test_…` or `svc_live_…`; only its hash is kept. */
    readonly key?: string;
    /** SHA-256 of the key, hexadecimal. */
    readonly sha256?: string;
    /** True if it was revoked. @default false */
    readonly revoked?: boolean;
    /** Time of its expiry. @default never */
    readonly expiresAt?: string;
    /** Permitted parts. @default all of "factors", "scores", "history" */
    readonly scopes?: readonly ("factors" | "scores" | "history")[];
  }[];
  /** Limits that differ from those of section 8. */
  readonly limits?: {
    /** Requests in a minute of the UTC clock. @default 120 */
    readonly requestsPerMinute?: number;
    /** Requests in a UTC day. @default 10000 */
    readonly requestsPerDay?: number;
    /** Requests in flight at once. @default 5 */
    readonly concurrentRequests?: number;
    /** Started file downloads in a UTC day. @default 10 */
    readonly downloadsPerDay?: number;
    /** File downloads at once. @default 1 */
    readonly concurrentDownloads?: number;
  };
}

/** A factor licence with its access period. */
export type LicenceSpec = Exclude<AccountSpec["factors"][number], Factor>;

/** Limits of an account. */
export type AccountLimits = Required<NonNullable<AccountSpec["limits"]>>;

/** One API key of an account; either the key itself or its SHA-256 is given. */
export type KeySpec = AccountSpec["keys"][number];

/** A key in the server's memory. */
export interface KeyRecord {
  /** SHA-256 of the key. */
  readonly sha256: string;
  /** Time of its revocation, epoch milliseconds; `Infinity` if there was none. */
  readonly revokedAtMs: number;
  /** Time of its expiry, epoch milliseconds; `Infinity` for never. */
  readonly expiresAtMs: number;
  /** Permitted parts. */
  readonly scopes: ReadonlySet<Scope>;
}

/** One access period of a factor, epoch milliseconds, end exclusive. */
export interface Licence {
  /** Licensed factor. */
  readonly factor: Factor;
  /** Start. */
  readonly fromMs: number;
  /** End. */
  readonly untilMs: number;
}

/** An account in the server's memory. */
export interface Account {
  /** Name of the account. */
  readonly id: string;
  /** Its limits. */
  readonly limits: AccountLimits;
  /** Access periods. */
  readonly licences: readonly Licence[];
  /** Its keys. */
  readonly keys: readonly KeyRecord[];
}

/** A recognised key, with its account. */
export interface Grant {
  /** The account. */
  readonly account: Account;
  /** The key. */
  readonly key: KeyRecord;
}

/** Default limits of section 8. */
export const DEFAULT_ACCOUNT_LIMITS: AccountLimits = {
  requestsPerMinute: LIMITS.requestsPerMinute,
  requestsPerDay: LIMITS.requestsPerDay,
  concurrentRequests: LIMITS.concurrentRequests,
  downloadsPerDay: LIMITS.downloadsPerDay,
  concurrentDownloads: LIMITS.concurrentDownloads,
};

/** Options of an account book. */
export interface AccountBookOptions {
  /** Server time, epoch milliseconds. */
  readonly nowMs: number;
  /** Licence changes and revocations by account. */
  readonly timeline: Timeline;
}

/** Accounts of a server, by the hash of a key; the keys themselves are not kept. */
export class AccountBook {
  /** The service issued these keys. */
  readonly issuer = "service";
  readonly #accounts = new Map<string, Account>();
  readonly #grants = new Map<string, Grant>();

  /**
   * @param specs The accounts
   * @param options Time at which active keys are counted, and events of the accounts
   * @throws {TypeError} If an account or a key repeats, or is malformed
   * @throws {RangeError} If an account has more than 10 active keys, or a limit out of range
   */
  constructor(specs: readonly AccountSpec[], options: AccountBookOptions) {
    for (const spec of specs) this.#add(spec, options);
  }

  /** Account and key of a presented key, or `null`; looked up by hash, so that comparisons cannot be timed. */
  find(presentedKey: string): Grant | null {
    return this.#grants.get(sha256Hex(presentedKey)) ?? null;
  }

  #add(spec: AccountSpec, options: AccountBookOptions): void {
    if (this.#accounts.has(spec.id)) {
      throw new TypeError(
        `Cannot add the account "${spec.id}": expected a unique id, got that of another account; choose another id`,
      );
    }
    const changes = options.timeline.changesOf(spec.id);
    const keys = spec.keys.map((key) => withRevocations(toKeyRecord(key, spec.id), changes));
    const active =
      keys.filter(({ revokedAtMs, expiresAtMs }) =>
        options.nowMs < Math.min(revokedAtMs, expiresAtMs)
      ).length;
    if (active > LIMITS.activeKeys) {
      throw new RangeError(
        `Cannot add the account "${spec.id}": expected at most 10 active keys, got ${active}; revoke some`,
      );
    }
    const account: Account = {
      id: spec.id,
      limits: toLimits(spec),
      licences: withLicenceChanges(spec.factors.map(toLicence), changes),
      keys,
    };
    this.#accounts.set(spec.id, account);
    for (const key of keys) this.#addKey(account, key);
  }

  #addKey(account: Account, key: KeyRecord): void {
    const known = this.#grants.get(key.sha256);
    if (known !== undefined) {
      throw new TypeError(
        `Cannot add a key to the account "${account.id}": expected a unique key, got that of ` +
          `"${known.account.id}"; choose another key`,
      );
    }
    this.#grants.set(key.sha256, { account, key });
  }
}

/**
 * Replaces the keys of an account by their hashes.
 *
 * @throws {TypeError} If a key is malformed
 */
export function withKeyHashes(spec: AccountSpec): AccountSpec {
  const keys = spec.keys.map((key) => {
    const { key: _, ...rest } = key;
    return { ...rest, sha256: hashOf(key, spec.id) };
  });
  return { ...spec, keys };
}

/** Factors within their access period for an account, in the order of the API document. */
export function activeFactors(account: Account, nowMs: number): readonly Factor[] {
  return FACTORS.filter((factor) => isLicensed(account, factor, nowMs));
}

/** True if an account may use a factor at a time. */
export function isLicensed(account: Account, factor: Factor, nowMs: number): boolean {
  return account.licences.some((licence) =>
    licence.factor === factor && licence.fromMs <= nowMs && nowMs < licence.untilMs
  );
}

function toLimits(spec: AccountSpec): AccountLimits {
  const limits = { ...DEFAULT_ACCOUNT_LIMITS, ...spec.limits };
  for (const [name, limit] of Object.entries(limits)) {
    const least = name.startsWith("concurrent") ? 1 : 0;
    if (Number.isSafeInteger(limit) && limit >= least) continue;
    throw new RangeError(
      `Cannot add the account "${spec.id}": expected ${name} to be a whole number of at least ${least}, ` +
        `got ${limit}`,
    );
  }
  return limits;
}

type AccountChange = EventOf<"licence" | "key_revoked">;

function toKeyRecord(spec: KeySpec, accountId: string): KeyRecord {
  return {
    sha256: hashOf(spec, accountId),
    revokedAtMs: spec.revoked === true ? -Infinity : Infinity,
    expiresAtMs: spec.expiresAt === undefined ? Infinity : toMs(spec.expiresAt, "expires_at"),
    scopes: new Set(spec.scopes ?? SCOPES),
  };
}

function hashOf({ key, sha256 }: KeySpec, accountId: string): string {
  const what = `Cannot add a key to the account "${accountId}"`;
  if ((key === undefined) === (sha256 === undefined)) {
    throw new TypeError(
      `${what}: expected either "key" or "sha256", got ${key === undefined ? "neither" : "both"}`,
    );
  }
  if (key !== undefined && keyIssuerOf(key) !== "service") {
    throw new TypeError(
      `${what}: expected svc_test_ or svc_live_ and visible ASCII characters, got ${key.length} characters ` +
        "that are not a key",
    );
  }
  if (sha256 !== undefined && !isSha256(sha256)) {
    throw new TypeError(`${what}: expected a "sha256" of 64 hexadecimal digits, got another text`);
  }
  return sha256?.toLowerCase() ?? sha256Hex(key ?? "");
}

function toLicence(spec: Factor | LicenceSpec): Licence {
  const { factor, from, until } = typeof spec === "string" ? { factor: spec } as LicenceSpec : spec;
  return {
    factor: parseFactor(factor),
    fromMs: from === undefined ? -Infinity : toMs(from, "from"),
    untilMs: until === undefined ? Infinity : toMs(until, "until"),
  };
}

function withRevocations(key: KeyRecord, changes: readonly AccountChange[]): KeyRecord {
  return changes.reduce((record, change) => {
    if (change.kind !== "key_revoked") return record;
    if (change.sha256 !== undefined && change.sha256.toLowerCase() !== key.sha256) return record;
    return { ...record, revokedAtMs: Math.min(record.revokedAtMs, epochMsOf(change.at)) };
  }, key);
}

// Changes are in order of time; each ends or begins a period of its factor.
function withLicenceChanges(
  licences: readonly Licence[],
  changes: readonly AccountChange[],
): readonly Licence[] {
  return changes.reduce((periods, change) => {
    if (change.kind !== "licence") return periods;
    const { factor } = change;
    const atMs = epochMsOf(change.at);
    if (change.active) return [...periods, { factor, fromMs: atMs, untilMs: Infinity }];
    return periods.map((period) =>
      period.factor === factor && period.untilMs > atMs ? { ...period, untilMs: atMs } : period
    );
  }, licences);
}

function toMs(instant: Instant, name: string): number {
  return epochMsOf(parseInstant(instant, name));
}
