import type { RegisteredNumber } from "../../frames/frame/registered_frame.ts";
import { listText } from "../../base/arguments/list_text.ts";
import { countText, decimalText, intervalText, pPhrase } from "../../base/wording/number_text.ts";
import { timesText } from "../../base/wording/sentences/held_out_text.ts";
import { inOrder, lastEntries, ofKind } from "../lock/chain.ts";
import type { LockedPlan, LockedResult } from "../lock/entry.ts";
import type { StudyLock } from "../lock/lock.ts";
import { heldSessions, looksAt, plansOf } from "./time_limit.ts";

const IC_DECIMALS = 3;

/** Sentences on the registered tests of a lock, for a paper. */
export function registeredSentences(lock: StudyLock): readonly string[] {
  const plans = plansOf(lock);
  const sentences = plans.flatMap((entry) => [planSentence(entry), lookSentence(lock, entry)]);
  return plans.some(({ plan }) => looksAt(lock, plan.holdOutFrom).length > 0)
    ? [...sentences, headSentence(lock)]
    : sentences;
}

/** One line per registered test, for a list. */
export function registeredLine(lock: StudyLock, { name, at, plan, sha256 }: LockedPlan): string {
  const looks = looksAt(lock, plan.holdOutFrom).length;
  const sessions = heldSessions(plan.holdOutFrom, lock.asOf).length;
  return `registered ${name} on ${at.slice(0, 10)} (${sha256.slice(0, 12)}…): hold-out from ` +
    `${plan.holdOutFrom}, ${countText(sessions, "session")}, ` +
    `${looks === 0 ? "not looked at" : `looked at ${timesText(looks)}`}`;
}

/** Sentence about a number of a registered test. */
export function numberSentence(number: RegisteredNumber): string {
  const { sample, horizon, sessions, meanIc, low, high, p } = number;
  const where = `${sample}, ${countText(horizon, "session")} ahead`;
  if (meanIc === null) return `${where}: no IC`;
  const tested = p === null ? "no test" : pPhrase(p);
  return `${where}: mean rank IC ${decimalText(meanIc, IC_DECIMALS)} ` +
    `(${intervalText([low, high], IC_DECIMALS)}; ${tested}; ${countText(sessions, "session")})`;
}

function planSentence({ name, at, plan, sha256, loadedBefore, looksBefore }: LockedPlan): string {
  const horizons = listText(plan.horizons.map(String));
  const seen = loadedBefore === 0
    ? "no data of these sessions had been loaded by the study"
    : `data of these sessions had been loaded before (${countText(loadedBefore, "line")} of the ` +
      "lock)";
  const looks = looksBefore === 0
    ? ""
    : `, and they had been looked at ${timesText(looksBefore)} by other registered tests`;
  return `The test "${name}" ("${plan.question}"; mean rank IC of ${plan.factor} at horizons of ` +
    `${horizons} sessions) was registered on ${at.slice(0, 10)} (SHA-256 \`${sha256}\`) with ` +
    `the sessions from ${plan.holdOutFrom} on held out; ${seen}${looks}.`;
}

function lookSentence(lock: StudyLock, { name, plan }: LockedPlan): string {
  const looks = looksAt(lock, plan.holdOutFrom).length;
  const sessions = countText(heldSessions(plan.holdOutFrom, lock.asOf).length, "session");
  if (looks === 0) return `The hold-out (${sessions} so far) has not been looked at.`;
  const result = resultsOf(lock, name)[0];
  const numbers = result?.numbers.filter(({ sample }) => sample === "hold-out") ?? [];
  const said = numbers.length === 0
    ? "no result of this test was recorded"
    : `first result: ${numbers.map(numberSentence).join("; ")}`;
  return `The hold-out was looked at ${timesText(looks)}; ${said}.`;
}

// Whoever has this hash can tell that an entry up to it was taken away.
function headSentence({ registered }: StudyLock): string {
  const heads = lastEntries(registered).map(({ sha256 }) => `\`${sha256}\``).toSorted();
  return `The record of registered tests and looks ends with SHA-256 ${heads.join(" and ")}.`;
}

/** The recorded results of a test, in the order in which they were written. */
export function resultsOf({ registered }: StudyLock, test: string): readonly LockedResult[] {
  return ofKind(inOrder(registered), "result").filter(({ name }) => name === test);
}
