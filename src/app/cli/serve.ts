import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { randomBytes } from "node:crypto";
import { epochMsOf, type Instant, parseInstant } from "../../base/contract/instant.ts";
import { maskKeys } from "../../base/contract/key.ts";
import { readTextFile } from "../../base/disk/files.ts";
import { onDisk } from "../../base/disk/on_disk.ts";
import type { AccountSpec } from "../../server/account/accounts.ts";
import { parseAccounts, parseScenario, type Scenario } from "../../server/config_files.ts";
import { createScoreServer, type ScoreServer } from "../../server/score_server.ts";
import { JournalFile } from "./journal_file.ts";
import { type Terminal, untilStopped } from "./terminal.ts";
import { findNotices, findUnplayable, openServeSource } from "./serve_source.ts";
import { choice, command, folder, names, number, text, type Values, wrong } from "./command.ts";

const KEY_FILE = "key.txt";

const OPTIONS = {
  store: text("DIR", "serve a store: a recording, or a world built earlier"),
  study: text("DIR", "serve what a study shows at its time; its hold-out stays closed"),
  world: choice(["small", "full"], "serve a synthetic world (default: small)"),
  port: number("port; 0 takes a free one (default: 0)", { to: 65_535 }),
  host: names("names under which it may be asked beside localhost, such as that of a proxy"),
  accounts: text("FILE", "accounts as JSON (default: one account, whose key is printed)"),
  key: text(
    "KEY",
    "key of that account, such as svc_test_desk (default: a new one; with --state the same again)",
  ),
  state: folder("keep spent allowances here across restarts (default: in memory)"),
  clock: {
    ...text("INSTANT|now", "server time (default: now); a clock set to an instant stands still"),
    required: '"now" or an RFC 3339 date-time such as 2026-11-20T15:00:00Z',
    read: readClock,
  },
  "clock-rate": number("server seconds per real second (default: 1 for now, 0 for an instant)", {
    to: 1e6,
    isWhole: false,
  }),
  faults: text("FILE", "faults and timeline as JSON"),
  journal: text("FILE", "write every request as a line of JSON, and a summary at the end"),
};

/** Options of `serve`; one that is `null` was not given. */
type Given = Values<typeof OPTIONS>;

/** `serve`: the embedded server over a store or a synthetic world, until SIGTERM or SIGINT. */
export const runServe = command({
  usage: ["serve [options]"],
  about: "Serves the whole Research Factor Score API on 127.0.0.1 until it is stopped.",
  options: OPTIONS,
  async run({ values, terminal }) {
    refuseTogether(values);
    try {
      await serve(values, terminal);
      return 0;
    } catch (error) {
      terminal.error(maskKeys(error instanceof Error ? error.message : String(error)));
      return 1;
    }
  },
});

async function serve(given: Given, terminal: Terminal): Promise<void> {
  const accounts = await readAccounts(given);
  const scenario = await readScenario(given);
  const source = await openServeSource(given, terminal);
  const { store, checks } = source;
  // The clock of a study stands still at its time unless another one is given.
  const clock = given.clock ?? source.time;
  const rate = rateOf(given, clock);
  const journal = openJournal(given, terminal);
  const stopped = untilStopped(() => journal?.reopen());
  try {
    const warnings = [...sandboxNotices(accounts), ...source.notices];
    warnings.push(...await findUnplayable(store, scenario.timeline));
    const server = createScoreServer({
      ...scenario,
      accounts,
      store,
      ...checks && { checks },
      ...given.state !== undefined && { state: given.state },
      ...clock && { clock: { at: clock, rate } },
      ...journal && { journal: { onEntry: journal.write } },
    });
    const nowMs = clock ? epochMsOf(clock) : server.clock.nowMs();
    warnings.push(...await findNotices({ store, goesOn: checks !== null, nowMs, rate }));
    // Completes the checks up to now, so that the first request is as fast as the others.
    await server.completeChecks();
    const { port = 0, host: hosts = [] } = given;
    const { url } = await server.listen({ port, hosts, onTrouble: terminal.error });
    startClock(server, clock, rate);
    for (const warning of warnings) terminal.error(warning);
    // Keys from an accounts file are not printed.
    announce(url, given.accounts === undefined ? accounts[0]!.keys[0]!.key! : null, terminal);
    await stopped;
    await server.close();
    if (journal !== null) terminal.out(server.journal.summary());
  } finally {
    journal?.close();
    await source.dispose();
  }
}

function rateOf({ clock: asked = null, "clock-rate": rate }: Given, clock: Instant | null): number {
  return asked === clock ? rate ?? (clock === null ? 1 : 0) : 0;
}

// Started once the server listens, so that start-up takes nothing from the requested time.
function startClock({ clock }: ScoreServer, at: Instant | null, rate: number): void {
  if (at === null) clock.run(rate);
  else clock.set(at, { rate });
}

/** Prints the address, with lines to paste into a shell; a variable stands for a key that must not be shown. */
function announce(url: string, key: string | null, terminal: Terminal): void {
  const token = key === null ? '"Authorization: Bearer $KEY"' : `'Authorization: Bearer ${key}'`;
  if (key !== null) terminal.out(`key ${key}`);
  terminal.out(`listening on ${url}`);
  terminal.out([
    "",
    "Send a request:",
    `  curl -H ${token} '${url}/v1/scores?factor=ecpnd'`,
    "Use it from a notebook or a script:",
    `  export SCOREFRAME_URL=${url} SCOREFRAME_API_KEY=${key ?? '"$KEY"'}`,
    ...(key === null ? ["set KEY to a key of the accounts file"] : []),
  ].join("\n"));
}

function openJournal({ journal }: Given, { error: onTrouble }: Terminal): JournalFile | null {
  return journal === undefined ? null : new JournalFile(journal, { goesOn: false, onTrouble });
}

async function readAccounts(
  { accounts: file, key: own, state }: Given,
): Promise<readonly AccountSpec[]> {
  if (file !== undefined) return parseAccounts(await readText("--accounts", file), { file });
  const key = own ?? await keyOf(state);
  return [{ id: "default", factors: ["ecpnd", "ecqdi"], keys: [{ key }] }];
}

// Clients of a service go on after its restart.
async function keyOf(state: string | undefined): Promise<string> {
  const key = `svc_test_${randomBytes(16).toString("hex")}`;
  if (state === undefined) return key;
  const path = join(state, KEY_FILE);
  return await onDisk(`use the state "${state}"`, async () => {
    const known = (await readTextFile(path))?.trim();
    if (known !== undefined && known !== "") return known;
    await mkdir(state, { recursive: true });
    await writeFile(path, `${key}\n`, { mode: 0o600 });
    return key;
  });
}

async function readScenario({ faults: file }: Given): Promise<Scenario> {
  if (file === undefined) return { faults: [], timeline: [] };
  return parseScenario(await readText("--faults", file), { file });
}

function readText(option: string, path: string): Promise<string> {
  return onDisk(`read ${option} ${path}`, () => readFile(path, "utf8"));
}

function sandboxNotices(accounts: readonly AccountSpec[]): readonly string[] {
  const isRefused = accounts.some(({ keys }) =>
    keys.some(({ key }) => key?.startsWith("svc_live_"))
  );
  return isRefused ? ["svc_live_ keys are refused: this server is a sandbox"] : [];
}

/** @throws {UsageError} If two options contradict each other */
function refuseTogether({ store, study, world, accounts, key }: Given): void {
  if (store !== undefined && world !== undefined) {
    throw wrong("store", "no --world beside it", `--world ${world}`);
  }
  if (key !== undefined && accounts !== undefined) {
    throw wrong("key", "no --accounts beside it, whose file has the keys", "both");
  }
  const other = store ?? world;
  if (study !== undefined && other !== undefined) {
    throw wrong("study", "no --store and no --world beside it", other);
  }
}

/** The instant, or `null` for now. */
function readClock(given: string): Instant | null | undefined {
  if (given === "now") return null;
  try {
    const clock = parseInstant(given, "--clock");
    epochMsOf(clock);
    return clock;
  } catch {
    return undefined;
  }
}
