/** Times within which a client has to do its part, and a transfer has to end. */
export interface FrontTimes {
  /** Until the head of a request has arrived. @default 10000 */
  readonly headTimeoutMs: number;
  /** Until all of a request has arrived. @default 15000 */
  readonly requestTimeoutMs: number;
  /** Time for which an idle connection is kept open; a head that stopped behind an answer is given up no later. @default 15000 */
  readonly keepAliveMs: number;
  /** Time for which the rest of a refused request is read, so that its client can read the answer. @default 2000 */
  readonly lingerMs: number;
  /** Until a file transfer has ended. @default 120000 */
  readonly transferDeadlineMs: number;
  /** Time between two looks at whether the server still takes connections. @default 2000 */
  readonly hearingMs: number;
  /** Time for which a client may leave an answer unread. @default 30000 */
  readonly idleTimeoutMs: number;
}
