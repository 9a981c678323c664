import { at, csv, factors, history, latest, named, panel } from "./_scenario.ts";
import {
  contract,
  fails,
  fault,
  file,
  integrity,
  once,
  page,
  status,
  transport,
} from "./_tampering.ts";

const impatient = { timeoutMs: 400 } as const;

/** The answer arrives late, in part, or not at all. */
export const DELIVERY_SCENARIOS = named({
  "the connection is reset before the answer, once": latest(fault("reset", once), "truth", 2),
  "the connection is reset before the answer, always": latest(
    fault("reset"),
    transport("expected a complete answer from http://127.0.0.1"),
    3,
  ),
  "the connection is reset in the middle of the body, once": latest(
    fault("reset", { afterBytes: 100, ...once }),
    "truth",
    2,
  ),
  "the connection ends in the middle of the body, once": at(fault("cut", once), "truth", 2),
  "the connection ends in the middle of the body, always": latest(fault("cut"), transport(), 3),
  "the connection ends in the middle of a CSV, always": csv(
    fault("cut", { contains: "format=csv" }),
    transport(),
    3,
  ),
  "the connection ends in the middle of the factor list, once": factors(
    fault("cut", once),
    "truth",
    2,
  ),
  "more bytes are announced than arrive": latest(
    fault("content_length", { by: 10 }),
    transport(),
    3,
  ),
  "fewer bytes are announced than arrive": latest(
    fault("content_length", { by: -10 }),
    contract("expected the body to be JSON"),
  ),
  "a CSV is announced one byte too short, without its last line end": csv(
    fault("content_length", { by: -1, contains: "format=csv" }),
    contract("a line end after the last row"),
  ),
  "a CSV is announced so short that its last rows are missing": csv(
    fault("content_length", { by: -23, contains: "format=csv" }),
    contract(),
    {},
  ),
  "the body dribbles, in time": latest(
    fault("dribble", { chunkBytes: 200, intervalMs: 5 }),
    "truth",
  ),
  "the body dribbles beyond timeoutMs": latest(
    fault("dribble", { chunkBytes: 16, intervalMs: 40 }),
    transport("within timeoutMs 400"),
    { requests: 1, options: { ...impatient, maxRetries: 0 } },
  ),
  "the answer is late beyond timeoutMs, once": latest(
    fault("latency", { ms: 2_500, ...once }),
    "truth",
    {
      requests: 2,
      // The second answer has to come in time, however busy the machine is.
      options: { timeoutMs: 2_000 },
    },
  ),
  "the answer is late beyond timeoutMs, always": latest(
    fault("latency", { ms: 1200 }),
    transport("expected an answer within timeoutMs 400"),
    { requests: 2, options: { ...impatient, maxRetries: 1 } },
  ),
  "the whole call takes longer than deadlineMs": latest(
    fault("latency", { ms: 2_500 }),
    transport("within deadlineMs 2000"),
    { requests: 1, options: { deadlineMs: 2_000 } },
  ),
  "the caller aborts while the answer is awaited": latest(
    fault("latency", { ms: 5_000 }),
    fails("AbortError"),
    { requests: 1, abortAtRequest: 1 },
  ),
  "the caller aborts in the middle of the body": panel(
    fault("dribble", { chunkBytes: 16, intervalMs: 500, after: 1 }),
    fails("AbortError"),
    { requests: 2, abortAtRequest: 2 },
  ),
  "the release file is reset in the middle": history(
    fault("reset", { afterBytes: 40, ...file }),
    transport("spent one of the day's"),
    { downloads: 1 },
  ),
  "the release file ends in the middle": history(
    fault("cut", file),
    transport("nothing was kept"),
    { downloads: 1 },
  ),
  "the release file pauses longer than timeoutMs": history(
    fault("dribble", { chunkBytes: 20, intervalMs: 2000, ...file }),
    transport("within timeoutMs 800"),
    { options: { timeoutMs: 800 }, downloads: 1 },
  ),
  "the release file is longer than announced": history(
    fault("content_length", { by: -5, ...file }),
    integrity(),
    { downloads: 1 },
  ),
  "one bit of the release file is flipped": history(fault("corrupt", file), integrity("SHA-256"), {
    downloads: 1,
  }),
  "the metadata announce another release than the file": history(
    fault("release_swapped"),
    integrity(),
    { downloads: 1 },
  ),
  "the release is replaced between its metadata and its file": history(
    fault("release_swapped", once),
    "truth",
    { downloads: 1 },
  ),
  "429 download_limit_exceeded for the file": history(
    status(429, { code: "download_limit_exceeded", ...file, retryAfterSeconds: 5 }),
    fails("WaitError", 429, "download_limit_exceeded"),
    3,
  ),
  "503 for the file, which is not asked for again": history(status(503, { ...file, ...once }), {
    error: "WaitError",
    status: 503,
    says: "each start is charged",
  }, 3),
  "503 historical_export_preparing for the metadata, once": history(
    status(503, { code: "historical_export_preparing", endpoint: "history", ...once }),
    "truth",
    { requests: 4, downloads: 1 },
  ),
  "a proxy's page with 200 in place of the file": history(
    page(200, file),
    transport("expected a body of type application/gzip"),
    {},
  ),
});
