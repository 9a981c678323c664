/** A colleague with a key of the relay; the key itself is known to nobody else. */
export interface RelayUser {
  /** Name, which is also the account in journal and ledger. */
  readonly name: string;
  /** SHA-256 of the key, hexadecimal. */
  readonly sha256: string;
  /** Creation of the key. */
  readonly addedAt: string;
  /** Time of revocation; `null` while it works. */
  readonly revokedAt: string | null;
  /** Requests to the service that the user may cause in a UTC day; `null` for the account's. */
  readonly requests: number | null;
  /** Downloads that the user may cause in a UTC day; `null` for the account's. */
  readonly downloads: number | null;
  /** True if the key opens the page of the relay. */
  readonly admin: boolean;
}
