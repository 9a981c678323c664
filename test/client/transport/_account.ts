/** When each test begins. */
export const NOW = Date.parse("2026-11-20T15:00:05.000Z");
/** End of the minute that it begins in. */
export const MINUTE_END = Date.parse("2026-11-20T15:01:00.000Z");

/** A request in flight. */
export const lease = (id: string, download = false) => ({
  id,
  owner: "host:1",
  download,
  leaseUntilMs: NOW + 20_000,
});
/** A request for admission. */
export const permitRequest = (id: string, download = false) => ({
  lease: lease(id, download),
  scopes: ["*"],
  reserve: 0,
});
/** The minute's budget as headers tell it. */
export const told = (remaining: number, limit = 120) => ({
  limit,
  remaining,
  reset: MINUTE_END / 1000,
});
/** What an answer tells. */
export const heard = (remaining: number) => ({
  budgets: { minute: told(remaining) },
  dateMs: null,
  receivedAtMs: NOW,
  hold: null,
});
