import type { ColumnsOf } from "./typed/columns.ts";
import { type FieldsOf, frameOfObjects } from "./typed/frame_of.ts";
import type { TypedFrame } from "./typed/typed_frame.ts";

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

/**
 * Columns of a connection's log.
 *
 * @internal
 */
export type EventColumns = ColumnsOf<typeof COLUMNS>;

/** One attempt of a request, sent at `atMs`, as a row of the event frame. */
export type EventRow =
  & Omit<FieldsOf<typeof COLUMNS>, "at">
  & { readonly [Name in "method" | "path"]: string }
  & { readonly [Name in "atMs" | "attempt" | "durationMs"]: number };

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
