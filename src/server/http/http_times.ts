/** Time limits for clients and transfers. */
export interface FrontTimes {
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
