/** Times within which a client has to do its part, and a transfer has to end. */
export interface FrontTimes {
  /** Until the head of a request has arrived. @default 10000 */
  readonly headTimeoutMs: number;
  /** Until all of a request has arrived. @default 15000 */
  readonly requestTimeoutMs: number;
  /** How long an idle connection is kept open. @default 5000 */
  readonly keepAliveMs: number;
  /** Until a file transfer has ended. @default 120000 */
  readonly transferDeadlineMs: number;
  /** How long a client may leave an answer unread. @default 30000 */
  readonly idleTimeoutMs: number;
}
