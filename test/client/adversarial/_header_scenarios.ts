import { FIXTURE_SETS } from "../../helpers/fixture_store.ts";
import { csv, history, latest, named, panel } from "./_scenario.ts";
import { contract, fails, file, header, headers, transport } from "./_tampering.ts";

/** The headers of an answer are missing, odd or wrong. */
export const HEADER_SCENARIOS = named({
  "no X-Factor-Snapshot header": latest(
    header("X-Factor-Snapshot", null),
    contract("expected X-Factor-Snapshot to be a value, got nothing"),
  ),
  "an X-Factor-Snapshot of another set than the body": latest(
    header("X-Factor-Snapshot", FIXTURE_SETS.ecpnd.first),
    contract("as in the body"),
  ),
  "an X-Factor-Status that contradicts the body": latest(
    header("X-Factor-Status", "stale"),
    contract('expected X-Factor-Status to be "current" as in the body, got "stale"'),
  ),
  "an X-Factor-Name of the other factor": csv(
    header("X-Factor-Name", "ecqdi"),
    contract('to be "ecpnd", got "ecqdi"'),
  ),
  "an X-Factor-Last-Checked-At without an offset": latest(
    header("X-Factor-Last-Checked-At", "2026-11-20T15:00:00"),
    contract("RFC 3339"),
  ),
  "a Content-Encoding on JSON": latest(
    header("Content-Encoding", "br"),
    transport("a body without Content-Encoding"),
  ),
  "a Content-Encoding on the release file": history(
    headers({ "Content-Encoding": "gzip" }, file),
    transport("a body without Content-Encoding"),
    {},
  ),
  "no Content-Type": latest(header("Content-Type", null), transport("got no media type")),
  "JSON where CSV was asked for": csv(
    header("Content-Type", "application/json"),
    transport("expected a body of type text/csv"),
  ),
  "no ETag": latest(header("ETag", null), "truth"),
  "no request id": latest(header("X-Request-Id", null), "truth"),
  "budget headers that are not numbers": latest(
    headers({ "X-RateLimit-Remaining": "many", "X-DailyLimit-Reset": "-1" }),
    "truth",
  ),
  "a spent minute in the headers of a good answer: the next request waits for its end": panel(
    headers({ "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1795186860" }, { count: 1 }),
    "truth",
    2,
  ),
  "a spent day in the headers of a good answer: nothing more is sent": panel(
    headers({ "X-DailyLimit-Remaining": "0" }, { count: 1 }),
    fails("WaitError", 429, "daily_limit_exceeded", "nothing was sent"),
    { requests: 1, recovers: false },
  ),
});
