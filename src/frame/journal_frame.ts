import pl, { type DataFrame } from "nodejs-polars";
import { wrongKind } from "../arguments/wrong_kind.ts";
import type { JournalEntry } from "../contract/http/journal_entry.ts";

/**
 * The journal of an embedded server as a frame: one row per request, in the order given.
 *
 * Columns: `at` (Datetime in milliseconds, UTC, by the server's clock), `method`, `target`, `account` (Utf8, null if no
 * key was recognised), `status` (Int32), `code` (Utf8, null unless refused), `spent_requests`, `spent_downloads` (Int32,
 * 0 or 1), `sent_bytes` (Float64), `complete` (Boolean), `duration_ms` (Float64, real time), `note`, `faults`,
 * `complaints` (Utf8, several joined by "; ", null if there is none) and `request_id` (Utf8).
 *
 * @param entries `server.journal.entries`, or the parsed lines of the file of `serve --journal`
 *
 * @example Which requests spent something
 * ```ts
 * import { journalFrame } from "scoreframe";
 *
 * const requests = journalFrame([{
 *   requestId: "3b1f8a52-55a1-4b6e-9d4e-0f5d3c6b7a10",
 *   at: "2026-11-20T15:00:00.000Z",
 *   method: "GET",
 *   target: "/v1/scores?factor=ecpnd",
 *   account: "desk",
 *   status: 200,
 *   code: null,
 *   spentRequests: 1,
 *   spentDownloads: 0,
 *   sentBytes: 2048,
 *   complete: true,
 *   durationMs: 3.5,
 *   note: null,
 *   faults: [],
 *   complaints: [],
 * }]);
 * console.assert(requests.getColumn("spent_requests").sum() === 1);
 * ```
 */
export function journalFrame(entries: readonly JournalEntry[]): DataFrame {
  if (!Array.isArray(entries)) {
    throw wrongKind("make a frame of a journal", entries, {
      expected: "the entries of a journal",
      advice: "server.journal.entries has them",
    });
  }
  const text = (name: string, read: (row: JournalEntry) => string | null) =>
    pl.Series(name, entries.map(read), pl.Utf8);
  const count = (name: string, read: (row: JournalEntry) => number) =>
    pl.Series(name, entries.map(read), pl.Int32);
  const amount = (name: string, read: (row: JournalEntry) => number) =>
    pl.Series(name, entries.map(read), pl.Float64);
  return pl.DataFrame([
    pl.Series("at", entries.map(({ at }) => new Date(at)), pl.Datetime("ms", "UTC")),
    text("method", ({ method }) => method),
    text("target", ({ target }) => target),
    text("account", ({ account }) => account),
    count("status", ({ status }) => status),
    text("code", ({ code }) => code),
    count("spent_requests", ({ spentRequests }) => spentRequests),
    count("spent_downloads", ({ spentDownloads }) => spentDownloads),
    amount("sent_bytes", ({ sentBytes }) => sentBytes),
    pl.Series("complete", entries.map(({ complete }) => complete), pl.Bool),
    amount("duration_ms", ({ durationMs }) => durationMs),
    text("note", ({ note }) => note),
    text("faults", ({ faults }) => joined(faults)),
    text("complaints", ({ complaints }) => joined(complaints)),
    text("request_id", ({ requestId }) => requestId),
  ]);
}

function joined(texts: readonly string[]): string | null {
  return texts.length === 0 ? null : texts.join("; ");
}
