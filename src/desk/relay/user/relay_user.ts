/** A user of the relay; the key itself is not stored. */
export interface RelayUser {
  /** Name, which is also the account in journal and ledger. */
  readonly name: string;
  /** SHA-256 of the key, hexadecimal. */
  readonly sha256: string;
  /** Creation of the key. */
  readonly addedAt: string;
  /** Time of revocation; `null` while it works. */
  readonly revokedAt: string | null;
  /** Limit of requests to the service in a UTC day; `null` for the account's. */
  readonly requests: number | null;
  /** Limit of downloads in a UTC day; `null` for the account's. */
  readonly downloads: number | null;
  /** True if the key may read the page of the relay. */
  readonly admin: boolean;
}
