import { LIMITS } from "../base/contract/limits.ts";

/** The deadlines of a server. */
export interface ServerTimes {
  /** Processing of one request. @default 15000 */
  readonly requestDeadlineMs: number;
  /** Time limit for the head of a request. @default 10000 */
  readonly headTimeoutMs: number;
  /** Time limit for the whole request. @default 15000 */
  readonly requestTimeoutMs: number;
  /** Time for which an idle connection, or one with an incomplete head after an answer, is kept open. @default 15000 */
  readonly keepAliveMs: number;
  /** Time for which the rest of a refused request is read, so that its client can read the answer. @default 2000 */
  readonly lingerMs: number;
  /** Time limit for a file transfer. @default 120000 */
  readonly transferDeadlineMs: number;
  /** Time between two checks that the server accepts connections. @default 2000 */
  readonly hearingMs: number;
  /** Time for which a client may leave an answer unread. @default 30000 */
  readonly idleTimeoutMs: number;
}

/** Time limits for clients and transfers. */
export type FrontTimes = Omit<ServerTimes, "requestDeadlineMs">;

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
