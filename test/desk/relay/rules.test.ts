// @heavy: the server's tests once more, behind relays
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { ROOT } from "../../helpers/source_files.ts";

/**
 * The server's own tests of the API document that ask it from outside. The others test its parts; its faults, which a relay
 * keeps from its users; and its timeline and engine, whose clock goes to and fro, while that of a relay follows the service.
 */
const FILES: readonly string[] = [
  ...["scores", "history", "errors", "status"].map((name) => `pipeline/${name}`),
  ...["access", "quotas"].map((name) => `account/${name}`),
  "catalogue/conditional_requests",
  ...["connection", "smuggling", "in_process", "transport", "hostile", "delivery"]
    .map((name) => `http/${name}`),
  "outside",
];

const BUDGETS =
  "budgets are those of the account behind the relay, which its own questions spend too, and of the user";
const CLOCK = "the time is the service's once it has answered, and never goes back";
const SCOPES =
  "the account's key needs all scopes, because its licence is read from the list of factors";

const REFUSED =
  "a refusal of the account's key is the relay's trouble, 503 account_refused, and never that of the user's key";

/** What differs at a relay, as docs/relay.md says it; each of these tests has to fail there. */
const DIFFERENCES: Readonly<Record<string, string>> = {
  "tells the time by its own clock": CLOCK,
  "says that its clock stands still, and nothing of one that runs": CLOCK,
  "checks in one order: limits, route, method, key, scope, quota, query, licence":
    "a query is judged by the relay, before the service judges scope and budget",
  "answers 401 unauthorized with a Bearer challenge to an unknown key": REFUSED,
  "answers 401 unauthorized with a Bearer challenge to a revoked key": REFUSED,
  "answers 401 unauthorized with a Bearer challenge to a key of the other environment": REFUSED,
  "accepts a key until the instant at which it expires": REFUSED,
  "works with svc_live_ keys in production, and with no other there": REFUSED,
  "serves 10 active keys of an account, and neither a revoked nor an expired one beside them":
    REFUSED,
  "lets a key with the scope factors use that and nothing else": REFUSED,
  "lets a key with the scope scores use that and nothing else": SCOPES,
  "lets a key with the scope history use that and nothing else": SCOPES,
  "tells the minute and the day budget on every admitted request": BUDGETS,
  "allows 120 requests in a UTC clock minute and refuses the next with 429": BUDGETS,
  "asks to wait at least one second, even at the very end of a minute": BUDGETS,
  "refuses beyond the day budget until 00:00 UTC": BUDGETS,
  "shares the budgets between the keys and the factors of an account": BUDGETS,
  "spends a request for a conditional request and for one that then fails": BUDGETS,
  "refuses a conditional request beyond the budget with 429, not 304": BUDGETS,
  "spends nothing before admission: unknown route, method, key, scope, subscription": BUDGETS,
  "allows 10 started downloads a day and refuses the next with 429":
    "one download brings a checksum for all",
  "spends a download for a 304, and none for HEAD or a refused query":
    "a 304 of the relay costs nothing",
  "lets 5 requests of an account run at once and refuses the sixth with 429": BUDGETS,
  "lets one download of an account run at once":
    "files on the relay's disk are read by many at once",
  "finds what was spent again when the clock is moved back": BUDGETS,
  "survives a restart: minute, day and downloads": BUDGETS,
};

interface Result {
  readonly title: string;
  readonly status: string;
  readonly failureMessages: readonly string[];
}

test("the server's own tests of the rules pass at a relay, but for the table of differences", async () => {
  const folder = await mkdtemp(join(tmpdir(), "scoreframe-relay-rules-"));
  const report = join(folder, "report.json");
  const files = FILES.map((name) => `test/server/${name}.test.ts`);
  const args = [
    "run",
    "-A",
    "npm:vitest",
    "run",
    ...files,
    // None of them mocks a module: loaded once for all, it need not be loaded for each.
    "--no-isolate",
    "--reporter=json",
    `--outputFile=${report}`,
  ];
  // In continuous integration the configuration has a file of results of its own, which would win over that of here.
  const { CI: _, ...outside } = process.env;
  const env = { ...outside, SCOREFRAME_TEST_RELAY: "1" };
  // It ends with 1, because the differences fail.
  await promisify(execFile)(Deno.execPath(), args, { cwd: ROOT, env, maxBuffer: 1 << 28 }).catch(
    () => null,
  );
  const { testResults } = JSON.parse(await readFile(report, "utf8")) as {
    readonly testResults: readonly { readonly assertionResults: readonly Result[] }[];
  };
  await rm(folder, { recursive: true });
  const results = testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = results.filter(({ status }) => status === "failed");
  expect(testResults.length).toBe(FILES.length);
  expect(results.length).toBeGreaterThan(410);
  expect(failed.filter(({ title }) => !(title in DIFFERENCES)), "differences nobody knows").toEqual(
    [],
  );
  const titles = new Set(failed.map(({ title }) => title));
  expect([...titles].toSorted()).toEqual(Object.keys(DIFFERENCES).toSorted());
});
