/**
 * An embedded server that implements the whole Research Factor Score API over a local store.
 *
 * @module
 */

export { createScoreServer, ScoreServer } from "./score_server.ts";
export type {
  ListenOptions,
  ScoreListener,
  ScoreServerOptions,
  ServerTimes,
} from "./score_server.ts";
export type { AccountLimits, AccountSpec, KeySpec, LicenceSpec } from "./accounts.ts";
export type { FrontTimes } from "./front/http_front.ts";
export { ServerClock } from "./clock.ts";
