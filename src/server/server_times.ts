import { LIMITS } from "../base/contract/limits.ts";
import type { FrontTimes } from "./http/http_times.ts";

/** The deadlines of a server. */
export interface ServerTimes extends FrontTimes {
  /** Processing of one request. @default 15000 */
  readonly requestDeadlineMs: number;
}

/** Deadlines of section 8, and of what it leaves open. */
export const DEFAULT_TIMES: ServerTimes = {
  requestDeadlineMs: LIMITS.requestDeadlineMs,
  transferDeadlineMs: LIMITS.transferDeadlineMs,
  idleTimeoutMs: LIMITS.transferIdleMs,
  headTimeoutMs: 10_000,
  requestTimeoutMs: 15_000,
  // Longer than the time for a head: an incomplete head after an answer gets its 408 before the connection counts as idle.
  keepAliveMs: 15_000,
  lingerMs: 2_000,
  hearingMs: 2_000,
};
