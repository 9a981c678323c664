/** The limits of section 8. Counts are for an account, shared by all its keys and factors. */
export const LIMITS = {
  requestsPerMinute: 120,
  requestsPerDay: 10_000,
  concurrentRequests: 5,
  downloadsPerDay: 10,
  concurrentDownloads: 1,
  requestDeadlineMs: 15_000,
  transferDeadlineMs: 120_000,
  transferIdleMs: 30_000,
  urlBytes: 2_048,
  headerBytes: 16_384,
  bodyBytes: 65_536,
  activeKeys: 10,
} as const;

/** Time between two checks of the service (section 1). */
export const CHECK_INTERVAL_MS = 3_600_000;

/** The edition of the API document that this library and its server implement (section 9). */
export const CONTRACT_VERSION = "1.2.0";

/** Version of this package, in the user agent and the `Server` header. */
export const PACKAGE_VERSION = "0.2.0";
