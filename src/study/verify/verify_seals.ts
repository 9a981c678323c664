import { FACTORS } from "../../base/contract/factor.ts";
import type { Store } from "../../base/store/store.ts";
import { factKey, LOCK_FILE, LOCK_HEAD, type StudyLock } from "../lock/lock.ts";
import { type BrokenSeal, brokenSealWords } from "../lock/lock_seals.ts";
import type { ReadLock } from "../lock/lock_text.ts";
import type { Findings } from "./findings.ts";
import { commandLine } from "../../base/runtime/command_line.ts";

// As long as a checksum.
const LONGEST_VALUE = 64;
const ADVICE =
  `git diff shows the lines; ${commandLine()} study restore compares each line and seals the lock again`;

/** Finds the parts of a lock whose seals do not match; a changed line that was reported already is not repeated. */
export async function verifySeals(
  { lock, broken }: ReadLock,
  store: Store | null,
  found: Findings,
): Promise<void> {
  const isNamed = found.problems.some(({ path }) => path === LOCK_FILE);
  for (const seal of broken) {
    const { part, written } = seal;
    if (part !== "head" && written === seal.found && isNamed) continue;
    const removed = part === "views" && store !== null ? await unnamedViews(lock, store) : "";
    const has = part === "head" ? `, got ${headWords(lock)}` : "";
    found.ofLock(
      `expected ${brokenSealWords(seal)}${has}: ${whatHappened(seal)}${removed}; ${ADVICE}`,
    );
  }
}

function headWords(lock: StudyLock): string {
  return Object.entries(LOCK_HEAD.write(lock))
    .map(([name, value]) => `${name} ${shortened(value)}`)
    .join(", ");
}

function shortened(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}

function whatHappened({ part, written, found }: BrokenSeal): string {
  if (part === "head") return "one of them or the seal was changed";
  if (written === null) return "it was removed or changed";
  if (found === written) return "a line or the seal was changed";
  const count = Math.abs(found - written);
  const lines = count === 1 ? "a line was" : `${count} lines were`;
  return `${lines} ${found < written ? "removed" : "added"}`;
}

// The store has the views of removed lines.
async function unnamedViews(lock: StudyLock, store: Store): Promise<string> {
  const named = new Set([...lock.views, ...lock.absences].map(factKey));
  const unnamed: string[] = [];
  for (const factor of FACTORS) {
    for (const at of await store.listViews(factor).catch(() => [])) {
      if (!named.has(factKey({ factor, at }))) unnamed.push(`${factor} at ${at}`);
    }
  }
  return unnamed.length === 0
    ? ""
    : ` (the store has views that no line names: ${unnamed.join(", ")})`;
}
