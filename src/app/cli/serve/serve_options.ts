import { epochMsOf, type Instant, parseInstant } from "../../../base/contract/instant.ts";
import { HELP_OPTION, parseArguments, texts, type ValuesOf } from "../parse_arguments.ts";
import { assertLocal } from "../assert_local.ts";
import { UsageError } from "../usage_error.ts";
import { commandLine } from "../../../base/runtime/command_line.ts";

/** Options of the serve command. */
export interface ServeOptions {
  /** Folder of a store to serve, or `null` for a synthetic world. */
  readonly store: string | null;
  /** Folder of a study whose store is served at its time, or `null`. */
  readonly study: string | null;
  /** Size of the synthetic world. */
  readonly world: "small" | "full";
  /** Port; 0 takes a free one. */
  readonly port: number;
  /** Accounts file, or `null` for one account with a new key. */
  readonly accounts: string | null;
  /** State folder, or `null` to keep spending in memory. */
  readonly state: string | null;
  /** Instant at which the clock starts, or `null` for now. */
  readonly clock: Instant | null;
  /** Server seconds per real second. */
  readonly clockRate: number;
  /** Faults file, or `null`. */
  readonly faults: string | null;
  /** Journal file, or `null`. */
  readonly journal: string | null;
}

const OPTIONS = {
  ...texts("store", "study", "world", "port", "accounts", "state", "clock", "clock-rate"),
  ...{ ...texts("faults", "journal"), ...HELP_OPTION },
};

/** Output of `serve --help`. */
export const SERVE_HELP: string = `usage: ${commandLine()} serve [options]

Serves the whole Research Factor Score API on 127.0.0.1 until it is stopped.

  --store DIR          serve a store: a recording, or a world built earlier
  --study DIR          serve what a study shows at its time; its hold-out stays closed
  --world small|full   serve a synthetic world (default: small)
  --port N             port; 0 takes a free one (default: 0)
  --accounts FILE      accounts as JSON (default: one account, whose key is printed)
  --state DIR          keep spent allowances here across restarts (default: in memory)
  --clock INSTANT|now  server time (default: now); a clock set to an instant stands still
  --clock-rate N       server seconds per real second (default: 1 for now, 0 for an instant)
  --faults FILE        faults and timeline as JSON
  --journal FILE       write every request as a line of JSON, and a summary at the end
  --help               this text`;

/**
 * Reads the command line.
 *
 * @returns `null` if help is asked for
 * @throws {UsageError} If an option does not exist, or its value is invalid
 */
export function parseServeOptions(args: readonly string[]): ServeOptions | null {
  const { values } = parseArguments(args, { options: OPTIONS });
  if (values.help === true) return null;
  assertOneSource(values);
  assertLocal("keep a state", values.state);
  const { clock: at = "now", port = "0" } = values;
  const clock = at === "now" ? null : readClock(at);
  return {
    store: values.store ?? null,
    study: values.study ?? null,
    world: readWorld(values.world ?? "small"),
    port: readNumber("--port", port, { max: 65_535, whole: true }),
    accounts: values.accounts ?? null,
    state: values.state ?? null,
    clock,
    clockRate: readNumber("--clock-rate", values["clock-rate"] ?? (clock === null ? "1" : "0"), {
      max: 1e6,
      whole: false,
    }),
    faults: values.faults ?? null,
    journal: values.journal ?? null,
  };
}

function assertOneSource({ store, world, study }: ValuesOf<typeof OPTIONS>): void {
  if (store !== undefined && world !== undefined) {
    throw wrong("--store", "no --world beside it", `--world ${world}`);
  }
  const other = store ?? world;
  if (study === undefined || other === undefined) return;
  throw wrong("--study", "no --store and no --world beside it", other);
}

function readWorld(value: string): "small" | "full" {
  if (value === "small" || value === "full") return value;
  throw wrong("--world", "small or full", value);
}

function readClock(value: string): Instant {
  try {
    const instant = parseInstant(value, "--clock");
    epochMsOf(instant);
    return instant;
  } catch {
    throw wrong("--clock", '"now" or an RFC 3339 date-time such as 2026-11-20T15:00:00Z', value);
  }
}

function readNumber(
  name: string,
  value: string,
  range: { readonly max: number; readonly whole: boolean },
): number {
  const number = /^\d+(\.\d+)?$/.test(value) ? Number(value) : NaN;
  if (number <= range.max && (!range.whole || Number.isInteger(number))) return number;
  const kind = range.whole ? "a whole number" : "a number";
  throw wrong(name, `${kind} from 0 to ${range.max}`, value);
}

function wrong(name: string, required: string, value: string): UsageError {
  return new UsageError(`Cannot use ${name}: expected ${required}, got "${value}"`);
}
