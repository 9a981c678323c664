import { readFile } from "node:fs/promises";
import { randomBytes } from "node:crypto";
import { epochMsOf } from "../../../base/contract/instant.ts";
import { maskKeys } from "../../../base/contract/key.ts";
import { StorageError } from "../../../base/errors.ts";
import type { AccountSpec } from "../../../server/account/accounts.ts";
import { parseAccounts } from "../../../server/config/parse_accounts.ts";
import { parseScenario, type Scenario } from "../../../server/config/parse_scenario.ts";
import { createScoreServer, type ScoreServer } from "../../../server/score_server.ts";
import { JournalFile } from "../journal_file.ts";
import { findNotices } from "./serve_notices.ts";
import { parseServeOptions, SERVE_HELP, type ServeOptions } from "./serve_options.ts";
import { openServeSource, type ServeSource } from "./serve_source.ts";
import { withStudy } from "./serve_study.ts";
import { findUnplayable } from "./serve_warnings.ts";
import type { Terminal } from "../terminal.ts";
import { untilStopped } from "../until_stopped.ts";

const NO_SCENARIO: Scenario = { faults: [], timeline: [] };

/**
 * Runs `serve`: the embedded server over a store or a synthetic world, until SIGTERM or SIGINT.
 *
 * @returns The exit code
 */
export async function runServe(args: string[], terminal: Terminal): Promise<number> {
  let options: ServeOptions | null;
  try {
    options = parseServeOptions(args);
  } catch (error) {
    terminal.error(maskKeys(error instanceof Error ? error.message : String(error)));
    terminal.error("serve --help lists the options");
    return 2;
  }
  if (options === null) {
    terminal.out(SERVE_HELP);
    return 0;
  }
  try {
    await serve(await withStudy(options), terminal);
    return 0;
  } catch (error) {
    terminal.error(maskKeys(error instanceof Error ? error.message : String(error)));
    return 1;
  }
}

async function serve(options: ServeOptions, terminal: Terminal): Promise<void> {
  const stopped = untilStopped();
  const accounts = await readAccounts(options);
  const scenario = options.faults === null
    ? NO_SCENARIO
    : parseScenario(await readText("--faults", options.faults), { file: options.faults });
  const source = await openServeSource(options, terminal);
  const journal = options.journal === null
    ? null
    : new JournalFile(options.journal, { goesOn: false, onTrouble: terminal.error });
  try {
    const unplayable = await findUnplayable(source.store, scenario.timeline);
    const server = makeServer({ options, accounts, scenario, source, journal });
    const notices = await findNotices({
      store: source.store,
      goesOn: source.checks !== null,
      nowMs: options.clock === null ? server.clock.nowMs() : epochMsOf(options.clock),
      rate: options.clockRate,
    });
    // Completes the checks up to now, so that the first request is as fast as the others.
    await server.completeChecks();
    const listener = await server.listen({ port: options.port, onTrouble: terminal.error });
    startClock(server, options);
    // Keys from an accounts file are not printed.
    const key = options.accounts === null ? accounts[0]?.keys[0]?.key ?? null : null;
    if (key !== null) terminal.out(`key ${key}`);
    if (hasProductionKey(accounts)) {
      terminal.error("svc_live_ keys are refused: this server is a sandbox");
    }
    for (const warning of [...unplayable, ...notices]) terminal.error(warning);
    terminal.out(`listening on ${listener.url}`);
    terminal.out(howToAsk(listener.url, key));
    await stopped;
    await server.close();
    if (journal !== null) terminal.out(server.journal.summary());
  } finally {
    journal?.close();
    await source.dispose();
  }
}

/** Lines to paste into a shell; a variable stands for a key that must not be shown. */
function howToAsk(url: string, key: string | null): string {
  const token = key === null ? '"Authorization: Bearer $KEY"' : `'Authorization: Bearer ${key}'`;
  return [
    "",
    "Send a request:",
    `  curl -H ${token} '${url}/v1/scores?factor=ecpnd'`,
    "Use it from a notebook or a script:",
    `  export SCOREFRAME_URL=${url} SCOREFRAME_API_KEY=${key ?? '"$KEY"'}`,
    ...(key === null ? ["set KEY to a key of the accounts file"] : []),
  ].join("\n");
}

function makeServer(parts: {
  readonly options: ServeOptions;
  readonly accounts: readonly AccountSpec[];
  readonly scenario: Scenario;
  readonly source: ServeSource;
  readonly journal: JournalFile | null;
}): ScoreServer {
  const { options, accounts, scenario, source, journal } = parts;
  return createScoreServer({
    store: source.store,
    accounts,
    faults: scenario.faults,
    timeline: scenario.timeline,
    ...(scenario.seed === undefined ? {} : { seed: scenario.seed }),
    ...(source.checks === null ? {} : { checks: source.checks }),
    ...(options.state === null ? {} : { state: options.state }),
    ...(options.clock === null ? {} : { clock: { at: options.clock, rate: options.clockRate } }),
    ...(journal === null ? {} : { journal: { onEntry: journal.write } }),
  });
}

// Started once the server listens, so that start-up takes nothing from the requested time.
function startClock(server: ScoreServer, { clock, clockRate }: ServeOptions): void {
  if (clock === null) server.clock.run(clockRate);
  else server.clock.set(clock, { rate: clockRate });
}

async function readAccounts(options: ServeOptions): Promise<readonly AccountSpec[]> {
  if (options.accounts !== null) {
    const text = await readText("--accounts", options.accounts);
    return parseAccounts(text, { file: options.accounts });
  }
  const key = `svc_test_${randomBytes(16).toString("hex")}`;
  return [{ id: "default", factors: ["ecpnd", "ecqdi"], keys: [{ key }] }];
}

async function readText(option: string, path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    const words = (cause as Error).message;
    throw new StorageError(
      `Cannot read ${option}: expected a file that can be read, got "${path}" (${words}); name another file`,
      { cause },
    );
  }
}

function hasProductionKey(accounts: readonly AccountSpec[]): boolean {
  return accounts.some(({ keys }) => keys.some(({ key }) => key?.startsWith("svc_live_")));
}
