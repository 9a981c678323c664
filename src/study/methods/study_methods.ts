import { type Factor, FACTOR_MEANING, FACTORS } from "../../contract/factor.ts";
import type { LockedRelease, LockedSet, StudyLock } from "../lock/lock.ts";

const MAX_NAMED_SETS = 5;

/**
 * The paragraph of a paper that says which data a study rests on, in Markdown.
 *
 * @param lock What the study stands on
 */
export function studyMethods(lock: StudyLock): string {
  const sentences = [
    `All data are as known at ${lock.asOf}, from the Research Factor Score API (v1) at ${lock.service}.`,
    ...(lock.synthetic === true
      ? [`**The numbers are synthetic: they were made up by a simulated service${worldOf(lock)}.**`]
      : []),
    ...FACTORS.flatMap((factor) => factorSentences(factor, lock)),
    "Missing scores are kept as missing; none was filled or set to zero.",
    `The lock of the study, \`study.lock.json\`, names each set and release with a hash of its numbers; ` +
    "`study restore` loads them again under a reader's own licence and compares each number. " +
    `Made with scoreframe ${lock.environment.scoreframe}, nodejs-polars ${lock.environment.polars}, ` +
    `${lock.environment.runtime}.`,
  ];
  return `${sentences.join(" ")}\n`;
}

function worldOf({ world }: StudyLock): string {
  return typeof world?.name === "string" ? ` (${world.name})` : "";
}

function factorSentences(factor: Factor, lock: StudyLock): readonly string[] {
  const sets = lock.sets.filter((set) => set.factor === factor)
    .toSorted((a, b) => a.calculatedAt < b.calculatedAt ? -1 : 1);
  const releases = lock.releases.filter((release) => release.factor === factor);
  return [
    ...(sets.length === 0 ? [] : [setSentence(factor, sets, lock)]),
    ...releases.map((release) => releaseSentence(factor, release)),
  ];
}

function setSentence(factor: Factor, sets: readonly LockedSet[], lock: StudyLock): string {
  const [first, last] = [sets[0]!, sets.at(-1)!];
  const views = lock.views.filter((view) => view.factor === factor).length;
  const rows = sum(sets.map(({ tickers }) => tickers));
  const scored = sum(sets.map(({ scored }) => scored));
  const ids = sets.length <= MAX_NAMED_SETS
    ? ` (${sets.map(({ snapshotId }) => `\`${snapshotId}\``).join(", ")})`
    : "";
  const span = sets.length === 1
    ? `published ${first.calculatedAt}`
    : `published from ${first.calculatedAt} to ${last.calculatedAt}`;
  return `Of ${factor}, ${FACTOR_MEANING[factor]} (${versionsOf(sets)}; ${universesOf(sets)}), ` +
    `${count(sets.length, "score set")} ${span}${ids} ${
      sets.length === 1 ? "is" : "are"
    } used at ` +
    `${count(views, "instant")}: ${group(rows)} rows, ${missingText(rows, scored)}.`;
}

function releaseSentence(factor: Factor, release: LockedRelease): string {
  const { firstSession, lastSession, rows, scored, sessions, availability } = release;
  const convention = availability === null ? "" : ` under the convention "${availability}"`;
  const version = release.factorVersion ?? "version not stated";
  return `The reconstructed history release of ${factor} (${version}; ` +
    `${release.universe ?? "universe not stated"}; SHA-256 \`${release.downloadSha256}\`) has ` +
    `${group(rows)} rows in ${
      count(sessions, "session")
    } from ${firstSession} to ${lastSession}${convention}, ` +
    `${missingText(rows, scored)}; it is no record of what was published on those days.`;
}

function versionsOf(sets: readonly LockedSet[]): string {
  return [...new Set(sets.map(({ factorVersion }) => factorVersion))].join(", ");
}

function universesOf(sets: readonly LockedSet[]): string {
  return [...new Set(sets.map(({ universe }) => universe))].join(", ");
}

function missingText(rows: number, scored: number): string {
  const share = rows === 0 ? 0 : 100 * (rows - scored) / rows;
  return `${group(rows - scored)} of them (${share.toFixed(1)} %) without a score`;
}

function count(number: number, thing: string): string {
  return `${group(number)} ${thing}${number === 1 ? "" : "s"}`;
}

// Not of the machine's locale: the same study gives the same text everywhere.
function group(number: number): string {
  return String(number).replaceAll(/\B(?=(\d{3})+$)/g, ",");
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
