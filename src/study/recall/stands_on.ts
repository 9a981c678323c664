import { basename, join, resolve } from "node:path";
import { hashFile } from "../../base/disk/hash_file.ts";
import { isFile } from "../../base/disk/files.ts";
import { ScoreframeError } from "../../base/errors.ts";
import { type PriceRows, rowsTookPart } from "./price_rows.ts";
import { callersOf } from "../../client/uses/reach.ts";
import type { LockedInput } from "../lock/lock.ts";
import type { FoundStudy } from "./recall_index.ts";

/** A cause of a recall; a study stands on it if it has each part that is given. */
export interface Cause {
  /** Id of a set, or its beginning. */
  readonly set: string | undefined;
  /** Checksum of a release, or its beginning. */
  readonly release: string | undefined;
  /** Hashes of an input, or their beginning; and its name, for files that are known by nothing else. */
  readonly input: { readonly hashes: readonly string[]; readonly name: string | null } | undefined;
  /** Rows of the input. */
  readonly rows: PriceRows | undefined;
  /** Versions that the study was made with, such as `<0.2.0`. */
  readonly versions: Readonly<Record<"scoreframe" | "polars" | "runtime", string | undefined>>;
  /** Functions: of each list at least one. */
  readonly uses: readonly (readonly string[])[];
  /** An option of such a function, or of any, with its value. */
  readonly option: { readonly name: string; readonly value: string | null } | undefined;
}

const VERSION = String.raw`\d+\.\d+\.\d+(?:-[\w.]+)?`;
const LIMIT = new RegExp(`(<=|>=|<|>|=)?(${VERSION})`);
/** A range of versions: `0.1.0`, `<0.2.0`, `>=0.1.0 <0.2.0`. */
export const RANGE: RegExp = new RegExp(`^\\s*${LIMIT.source}(?:\\s+${LIMIT.source})*\\s*$`);
const ORDER = new Intl.Collator("en", { numeric: true });
const VERSIONED = ["scoreframe", "polars", "runtime"] as const;

/** Answer about one study: the reasons why it stands on a cause, `null` if it does not, `undefined` if nothing tells. */
export type Standing = readonly string[] | null | undefined;

/** Tells if a study stands on a cause. */
export async function standsOn(study: FoundStudy, cause: Cause): Promise<Standing> {
  const { lock } = study;
  if (lock === null) return undefined;
  const { set, release, input, rows } = cause;
  if (set !== undefined && !lock.sets.some((id) => isMeant(id, set))) return null;
  if (release !== undefined && !lock.releases.some((id) => isMeant(id, release))) return null;
  const inputs = input === undefined ? [] : lock.inputs.filter((one) => isMeantInput(one, input));
  if (input !== undefined && inputs.length === 0) return null;
  const asked = VERSIONED.filter((name) => cause.versions[name] !== undefined);
  const { environment } = lock;
  if (!asked.every((name) => isInRange(environment[name], cause.versions[name]!))) return null;
  const calls = callsOf(study, cause);
  if (calls === null || calls === undefined) return calls;
  const part = rows === undefined ? [] : await rowsTookPart(study, rows);
  if (part === null || part === undefined) return part;
  const made = asked.map((name) =>
    `made with ${name === "runtime" ? "" : `${name} `}${environment[name]}`
  );
  return [...inputs.map(({ path }) => `input ${path}`), ...made, ...calls, ...[part].flat()];
}

/** Tests if an id or checksum is the one that a cause means by its beginning. */
export function isMeant(id: string, start: string | undefined): boolean {
  return start !== undefined && id.startsWith(start.toLowerCase());
}

/** Tests if an input of a lock is the one that a cause means. */
export function isMeantInput(
  { path, sha256 }: LockedInput,
  { hashes, name }: NonNullable<Cause["input"]>,
): boolean {
  return hashes.some((hash) => sha256.startsWith(hash)) || basename(path) === name;
}

/** Tests if a version, `0.1.0` or `deno 2.9.6`, is in a range: all of its parts hold. */
function isInRange(text: string, range: string): boolean {
  const version = text.replace(/^\w+ /, "");
  // A version before its release, 0.2.0-rc.1, is below it.
  const placed = (one: string) => one.includes("-") ? one : `${one}~`;
  return RANGE.test(version) && range.trim().split(/\s+/).every((part) => {
    const [, sign = "=", limit] = LIMIT.exec(part)!;
    const order = ORDER.compare(placed(version), placed(limit!));
    return order === 0 ? sign.includes("=") : sign.startsWith(order < 0 ? "<" : ">");
  });
}

function callsOf(study: FoundStudy, { uses, option }: Cause): Standing {
  if (uses.length === 0 && option === undefined) return [];
  const marked = study.exports.flatMap(({ mark }) =>
    Object.entries(mark.calls).flatMap(([name, given]) =>
      [name, `.${name}`].flatMap((one) => given.map((options) => ({ name: one, options })))
    )
  );
  const calls = [...study.calls, ...marked];
  if (calls.length === 0 && study.notebooks === 0) return undefined;
  const wanted = uses.map((names) => new Set(names.flatMap((name) => [...callersOf(name)])));
  const found = wanted.map((names) => calls.filter(({ name }) => names.has(name)));
  const given = (option === undefined ? [] : wanted.length === 0 ? calls : found.flat())
    .filter(({ options }) => hasOption(options, option!));
  if (found.some(({ length }) => length === 0)) return study.unread.length > 0 ? undefined : null;
  if (option !== undefined && given.length === 0) return null;
  const names = [...found.flat(), ...given].map(({ name }) => name.replace(/^\./, ""));
  return [`uses ${[...new Set(names)].join(", ")}`];
}

// A computed value may be the one that is meant.
function hasOption(
  options: Readonly<Record<string, unknown>>,
  { name, value }: NonNullable<Cause["option"]>,
) {
  if (!Object.hasOwn(options, name)) return false;
  const given = options[name];
  return value === null || given === null ||
    [given, ...[given].flat()].some((one) =>
      value === (typeof one === "string" ? one : JSON.stringify(one))
    );
}

/**
 * The input that a path or a hash means: the file itself, the file that a study pinned at that path, or, if no study has either,
 * all inputs of that name.
 *
 * @throws {ScoreframeError} If it is neither a file nor a hash
 */
export async function inputCause(
  given: string,
  studies: readonly FoundStudy[],
): Promise<NonNullable<Cause["input"]>> {
  const path = resolve(given);
  if (!await isFile(path)) {
    if (/^[0-9a-f]{8,64}$/i.test(given)) return { hashes: [given.toLowerCase()], name: null };
    throw new ScoreframeError(
      `Cannot recall the input ${given}: expected a file, or 8 to 64 digits of a SHA-256, got neither`,
    );
  }
  const { sha256 } = await hashFile(path);
  const inputs = studies.flatMap(({ folder, lock }) =>
    (lock?.inputs ?? []).map((input) => ({ ...input, place: join(folder, input.path) }))
  );
  const pinned = inputs.filter(({ place }) => place === path).map((input) => input.sha256);
  const hashes = [sha256, ...pinned];
  const isPinned = inputs.some((input) => hashes.includes(input.sha256));
  return { hashes, name: isPinned ? null : basename(path) };
}
