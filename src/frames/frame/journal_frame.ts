import type { TableFrame } from "./typed/table_frame.ts";
import { wrongKind } from "../../base/arguments/list_text.ts";
import type { JournalEntry } from "../../base/contract/http/journal_entry.ts";
import { frameOfObjects } from "./typed/frame_of.ts";

const COLUMNS = {
  at: "instant",
  method: "text",
  target: "text",
  account: "text",
  status: "count",
  code: "text",
  serves: "text",
  spent_requests: "count",
  spent_downloads: "count",
  sent_bytes: "number",
  complete: "flag",
  duration_ms: "number",
  note: "text",
  faults: "text",
  complaints: "text",
  request_id: "text",
} as const;

/**
 * The journal of an embedded server as a frame: one row per request, in the order given.
 *
 * Columns: `at` (Datetime in milliseconds, UTC, by the server's clock), `method`, `target`, `account` (Utf8, null if no
 * key was recognised), `status` (Int32), `code` (Utf8, null unless refused), `serves` (Utf8, the set or release that was answered; null for others), `spent_requests`, `spent_downloads` (Int32,
 * 0 or 1), `sent_bytes` (Float64), `complete` (Boolean), `duration_ms` (Float64, real time), `note`, `faults`,
 * `complaints` (Utf8, several joined by "; ", null if there is none) and `request_id` (Utf8).
 *
 * @param entries `server.journal.entries`, or the parsed lines of the file of `serve --journal`
 *
 * @example Requests that spent allowance
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
 *   serves: "6b1f8a52-55a1-4b6e-9d4e-0f5d3c6b7a10",
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
export function journalFrame(entries: readonly JournalEntry[]): TableFrame<typeof COLUMNS> {
  if (!Array.isArray(entries)) {
    throw wrongKind("make a frame of a journal", entries, {
      expected: "the entries of a journal",
      advice: "server.journal.entries has them",
    });
  }
  const rows: readonly JournalEntry[] = entries;
  return frameOfObjects(rows, COLUMNS, {
    faults: ({ faults }) => joined(faults),
    complaints: ({ complaints }) => joined(complaints),
  });
}

function joined(texts: readonly string[]): string | null {
  return texts.length === 0 ? null : texts.join("; ");
}
