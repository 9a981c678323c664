import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "./helpers/source_files.ts";

interface Claim {
  readonly document: string;
  /** Words of the document, with the number. */
  readonly says: string;
  readonly file: string;
  /** Code that has the number; who changes it changes the document, and this row. */
  readonly has: string;
}

const CLAIMS: readonly Claim[] = [
  ...claimsOf("docs/connecting.md", [
    [
      "`maxWaitMs` per call (65 s by default)",
      "client/transport/call/exchange_settings.ts",
      "maxWaitMs: 65_000",
    ],
    ["Waits of three seconds or more", "client/transport/long_wait.ts", "LONG_WAIT_MS = 3_000"],
  ]),
  ...claimsOf("docs/servers.md", [
    ["a quarter of the process's open-file limit", "server/http/http_server.ts", "openFiles / 4"],
    ["at least 8, at most 1,000", "server/http/http_server.ts", "MOST_CONNECTIONS = 1_000"],
    ["at least 8, at most 1,000", "server/http/http_server.ts", "FEWEST_CONNECTIONS = 8"],
  ]),
  ...claimsOf("docs/relay.md", [
    ["15 seconds for a request", "server/server_times.ts", "requestTimeoutMs: 15_000"],
    ["the last tenth of the account's minute", "desk/relay/user/user_gate.ts", "minute.limit / 10"],
  ]),
  ...claimsOf("docs/install.md", [
    [
      "each cell wait until its output is sent: 20 ms",
      "frames/notebook/kernel/settle.ts",
      "MIN_MS = 20",
    ],
    [
      "1 ms per 4,000 characters, at most 500 ms",
      "frames/notebook/kernel/settle.ts",
      "CHARACTERS_PER_MS = 4_000",
    ],
    [
      "1 ms per 4,000 characters, at most 500 ms",
      "frames/notebook/kernel/settle.ts",
      "MAX_MS = 500",
    ],
    ["at most 25 waits", "frames/notebook/kernel/settle.ts", "MAX_ROUNDS = 25"],
  ]),
  ...claimsOf("docs/install.md", [
    [
      "as many rows as fit into 64 kB",
      "frames/notebook/frame/frame_bundle.ts",
      "HELD_LENGTH = 64_000",
    ],
    ["at most 5,000", "frames/notebook/frame/_frame_view.ts", "MAX_ROWS = 5_000"],
  ]),
  ...claimsOf("docs/prices.md", [
    ["at least 1.9 times the previous one", "frames/prices/values/check_values.ts", "JUMP = 1.9"],
    [
      "more than 4,000,000,000 bytes",
      "frames/prices/source/open_source.ts",
      "MOST_BYTES = 4_000_000_000",
    ],
    ["252 sessions, 52 weeks", "frames/prices/dates/frequency.ts", "daily: { perYear: 252"],
    ["252 sessions, 52 weeks", "frames/prices/dates/frequency.ts", "weekly: { perYear: 52"],
    ["the years 1962 to 2060", "base/calendar/list_sessions.ts", "{ first: 1962, last: 2060 }"],
    ["whose set is more than 7 days old", "frames/vintage/as_of/as_of.ts", "OLD_MS = 7 * DAY_MS"],
  ]),
  ...claimsOf("docs/studies.md", [
    [
      "Sets larger than 16 KiB are compressed",
      "base/store/scores/set_file.ts",
      "SMALL_CHARACTERS = 16_384",
    ],
  ]),
  ...claimsOf("docs/testing-a-mean.md", [
    ["0.2 n^(2/3) cosines", "analysis/inference/test_mean.ts", "0.2 * n ** (2 / 3)"],
    ["With fewer than 20 values", "analysis/inference/tested_mean.ts", "LEAST_SESSIONS = 20"],
    [
      "fewer than ten non-overlapping windows",
      "analysis/inference/tested_mean.ts",
      "LEAST_WINDOWS = 10",
    ],
  ]),
  ...claimsOf("docs/world.md", [
    [
      "| `small` | 60 | 2 years | 4,180 hours |",
      "server/world/world_options.ts",
      "small: { tickers: 60, years: 2, hours: LIVE_HOURS }",
    ],
    [
      "| `full` | 3,000 | 10 years | 4,180 hours |",
      "server/world/world_options.ts",
      "full: { tickers: 3_000, years: 10, hours: LIVE_HOURS }",
    ],
    ["The 4,180 hours contain", "server/world/world_options.ts", "LIVE_HOURS = 4_180"],
    ["In worlds of up to 1,000 hours", "server/world/build_world.ts", "MOST_FILES_HOURS = 1_000"],
    ["Transcripts arrive hours later, 8% of them", "server/world/calls.ts", "< 0.08"],
    ["and 4% are unusable", "server/world/calls.ts", ">= 0.04"],
    [
      "0.05 for `ecpnd`, 0.08 for `ecqdi`",
      "server/world/truth.ts",
      "ecpnd: { informationCoefficient: 0.05, halfLifeSessions: 60 }",
    ],
    [
      "60 sessions for `ecpnd`, 30 for `ecqdi`",
      "server/world/truth.ts",
      "ecqdi: { informationCoefficient: 0.08, halfLifeSessions: 30 }",
    ],
    [
      "mean 0.0002, standard deviation 0.008",
      "server/world/truth.ts",
      "{ drift: 0.0002, volatility: 0.008 }",
    ],
    ["0.010 to 0.028 by company", "server/world/universe.ts", "0.01 + 0.018 * uniform"],
  ]),
];

describe("a number in a guide", () => {
  test.each(CLAIMS)("is that of the code: $document, $says ($has)", async (claim) => {
    const [document, code] = await Promise.all([
      readFile(join(ROOT, claim.document), "utf8"),
      readFile(join(ROOT, "src", claim.file), "utf8"),
    ]);
    expect(document.replace(/\s+/g, " ")).toContain(claim.says);
    expect(code).toContain(claim.has);
  });
});

function claimsOf(
  document: string,
  claims: readonly (readonly [says: string, file: string, has: string])[],
): readonly Claim[] {
  return claims.map(([says, file, has]) => ({ document, says, file, has }));
}
