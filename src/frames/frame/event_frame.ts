import type { ColumnsOf } from "./typed/columns.ts";
import { frameOfObjects } from "./typed/frame_of.ts";
import type { TypedFrame } from "./typed/typed_frame.ts";

/** One attempt of a request, as a row of the event frame. */
export interface EventRow {
  /** Time of sending, epoch milliseconds. */
  readonly atMs: number;
  /** Method. */
  readonly method: string;
  /** Path with its query. */
  readonly path: string;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** HTTP status; `null` if no answer arrived. */
  readonly status: number | null;
  /** Error code or problem; `null` after a good answer. */
  readonly problem: string | null;
  /** The service's id of the request. */
  readonly requestId: string | null;
  /** Duration in milliseconds. */
  readonly durationMs: number;
  /** Received bytes of the body; `null` without an answer, or after a refusal. */
  readonly bodyBytes: number | null;
}

const COLUMNS = {
  at: "instant",
  method: "text",
  path: "text",
  attempt: "count",
  status: "count",
  problem: "text",
  request_id: "text",
  duration_ms: "number",
  body_bytes: "number",
} as const;

/** Columns of a connection's log. */
export type EventColumns = ColumnsOf<typeof COLUMNS>;

/**
 * The frame of an event log: one row per attempt, oldest first.
 *
 * Columns: `at` (Datetime in milliseconds, UTC), `method`, `path` (Utf8), `attempt` (Int32), `status` (Int32, null
 * without an answer), `problem` (Utf8, null after a good answer), `request_id` (Utf8), `duration_ms` and
 * `body_bytes` (Float64).
 */
export function toEventFrame(events: readonly EventRow[]): TypedFrame<EventColumns> {
  return frameOfObjects(events, COLUMNS, { at: ({ atMs }) => new Date(atMs).toISOString() });
}
