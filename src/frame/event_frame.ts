import pl, { type DataFrame } from "nodejs-polars";

/** One attempt of a request, as a row of the event frame. */
export interface EventRow {
  /** When it was sent, epoch milliseconds. */
  readonly atMs: number;
  /** Method. */
  readonly method: string;
  /** Path with its query. */
  readonly path: string;
  /** Which attempt, from 1 on. */
  readonly attempt: number;
  /** HTTP status; `null` if no answer arrived. */
  readonly status: number | null;
  /** Error code or what went wrong; `null` after a good answer. */
  readonly problem: string | null;
  /** The service's id of the request. */
  readonly requestId: string | null;
  /** Duration in milliseconds. */
  readonly durationMs: number;
  /** Received bytes of the body; `null` if there was no answer, or a refusal. */
  readonly bodyBytes: number | null;
}

/**
 * The frame of an event log: one row per attempt, oldest first.
 *
 * Columns: `at` (Datetime in milliseconds, UTC), `method`, `path` (Utf8), `attempt` (Int32), `status` (Int32, null
 * without an answer), `problem` (Utf8, null after a good answer), `request_id` (Utf8), `duration_ms` and
 * `body_bytes` (Float64).
 */
export function toEventFrame(events: readonly EventRow[]): DataFrame {
  const column = <T>(read: (event: EventRow) => T) => events.map(read);
  return pl.DataFrame([
    pl.Series("at", column((event) => new Date(event.atMs)), pl.Datetime("ms", "UTC")),
    pl.Series("method", column((event) => event.method), pl.Utf8),
    pl.Series("path", column((event) => event.path), pl.Utf8),
    pl.Series("attempt", column((event) => event.attempt), pl.Int32),
    // A null in an Int32 series would become 0 without a word: the cast keeps it null.
    pl.Series("status", column((event) => event.status), pl.Float64).cast(pl.Int32),
    pl.Series("problem", column((event) => event.problem), pl.Utf8),
    pl.Series("request_id", column((event) => event.requestId), pl.Utf8),
    pl.Series("duration_ms", column((event) => event.durationMs), pl.Float64),
    pl.Series("body_bytes", column((event) => event.bodyBytes), pl.Float64),
  ]);
}
