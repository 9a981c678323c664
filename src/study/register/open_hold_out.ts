import { join } from "node:path";
import type { DataFrame } from "nodejs-polars";
import type { RegisteredNumber } from "../../frames/frame/registered_frame.ts";
import { hashFile } from "../../base/disk/hash_file.ts";
import { IntegrityError, ScoreframeError } from "../../base/errors.ts";
import { checkedPrices } from "../../frames/prices/checked_prices.ts";
import { commandLine } from "../../base/runtime/command_line.ts";
import { resultsOf } from "../hold_out/registered_text.ts";
import { heldSessions, looksAt, plansOf } from "../hold_out/time_limit.ts";
import { pinInput } from "../inputs/pin_input.ts";
import type { LockedLook, LockedPlan, RegisteredPlan } from "../lock/entry.ts";
import type { StudyLock } from "../lock/lock.ts";
import type { StudyPlace } from "../study_place.ts";
import type { StudyContext } from "../verbs/study_context.ts";
import { loadStudyHistory } from "../verbs/study_history.ts";
import { loadStudyPanel } from "../verbs/study_panel.ts";
import { RegisteredResult } from "./registered_result.ts";
import { assertSound } from "./register_test.ts";
import { ofKind } from "../lock/chain.ts";

/** Sample of a registered test. */
export interface RegisteredSample {
  /** Name of the period, or `hold-out`. */
  readonly name: string;
  /** First date; `null` for the first one of the data. */
  readonly from: string | null;
  /** Last date. */
  readonly to: string | null;
  /** Date from which no price is used; `null` for all prices. */
  readonly pricesBefore: string | null;
}

/** Runs a registered test on one sample; passed in by a layer that may import the analysis. */
export type RunRegistered = (
  plan: RegisteredPlan,
  data: { readonly scores: DataFrame; readonly prices: DataFrame },
  sample: RegisteredSample,
) => Promise<readonly RegisteredNumber[]>;

/**
 * Runs a registered test on its hold-out, and counts the look. The look is written before any number of the hold-out is
 * computed, so that a killed run is counted, too. A frozen study computes the last recorded look again and compares.
 */
export async function openHoldOut(
  context: StudyContext,
  name: string,
  run: RunRegistered,
): Promise<RegisteredResult> {
  const { place } = context;
  await place.pinned();
  const lock = await place.refresh();
  assertSound(place.folder, lock);
  const entry = findPlan(lock, name, place.folder);
  if (place.mode === "frozen") return await replayLook(context, lock, entry, run);
  const { holdOutFrom } = entry.plan;
  const sessions = heldSessions(holdOutFrom, lock.asOf);
  if (sessions.length === 0) {
    throw new ScoreframeError(
      `Cannot open the hold-out of ${name}: expected a session from ${holdOutFrom} on that closed by the study's time, ` +
        `got ${lock.asOf}; move the study with: ${commandLine()} study update`,
    );
  }
  const data = await loadData(context, entry.plan, sessions.at(-1)!, null);
  // A plan that cannot be run fails here, before the look counts.
  const inSample = await runInSample(entry.plan, data, run);
  const { now } = await place.askService();
  const [first, last] = [sessions[0]!, sessions.at(-1)!];
  const look = await countLook(place, entry, { at: now, first, last, ...data.seen });
  const held = await run(entry.plan, data, holdOutOf(entry.plan, look.last));
  const after = await place.append(() => ({
    kind: "result",
    at: now,
    name,
    number: look.number,
    of: look.sha256,
    numbers: [...inSample, ...held],
  }));
  place.opened.add(name);
  const result = resultsOf(after, name).find(({ of }) => of === look.sha256)!;
  return new RegisteredResult(entry, result, looksAt(after, holdOutFrom).length);
}

type RegisteredData = Awaited<ReturnType<typeof loadData>>;

async function countLook(
  place: StudyPlace,
  { name, sha256: of }: LockedPlan,
  seen: Pick<LockedLook, "at" | "first" | "last" | "release" | "prices">,
): Promise<LockedLook> {
  const looksOf = ({ registered }: StudyLock) =>
    ofKind(registered, "look").filter((look) => look.name === name);
  const known = new Set<string>();
  const lock = await place.append((before) => {
    assertSound(place.folder, before);
    for (const { sha256 } of looksOf(before)) known.add(sha256);
    return { kind: "look", name, of, number: known.size + 1, asOf: before.asOf, ...seen };
  });
  return looksOf(lock).find(({ sha256 }) => !known.has(sha256))!;
}

async function runInSample(plan: RegisteredPlan, data: RegisteredData, run: RunRegistered) {
  const numbers: RegisteredNumber[] = [];
  for (const [name, { from, to }] of Object.entries(plan.periods)) {
    numbers.push(...await run(plan, data, { name, from, to, pricesBefore: plan.holdOutFrom }));
  }
  return numbers;
}

function holdOutOf({ holdOutFrom }: RegisteredPlan, last: string): RegisteredSample {
  return { name: "hold-out", from: holdOutFrom, to: last, pricesBefore: null };
}

async function replayLook(
  context: StudyContext,
  lock: StudyLock,
  entry: LockedPlan,
  run: RunRegistered,
): Promise<RegisteredResult> {
  const { place } = context;
  const result = resultsOf(lock, entry.name).at(-1);
  if (result === undefined) {
    throw new ScoreframeError(
      `Cannot open the hold-out of ${entry.name}: expected a recorded look in the lock of the frozen study ${place.folder}, got ` +
        "none; a run with SCOREFRAME_STUDY_MODE=auto opens it",
    );
  }
  const look = ofKind(lock.registered, "look").find(({ sha256 }) => sha256 === result.of)!;
  // A study that was moved has other data; its lock proves only the old numbers.
  const again = look.asOf === lock.asOf ? await repeatLook(context, entry, look, run) : null;
  // The prices may have been pinned again since.
  const repeated = again?.prices === look.prices ? again.numbers : result.numbers;
  for (const [i, number] of result.numbers.entries()) {
    if (repeated[i] !== undefined && isSame(number, repeated[i])) continue;
    throw new IntegrityError(
      `Cannot replay the look at the hold-out of ${entry.name}: expected ` +
        `${JSON.stringify(number)} as the lock says, got ${JSON.stringify(repeated[i])} from the ` +
        "same data; restore the lock from git",
    );
  }
  place.opened.add(entry.name);
  return new RegisteredResult(entry, result, looksAt(lock, entry.plan.holdOutFrom).length);
}

/** Computes the numbers of a look again, from the data that the study has. Counts nothing. */
export async function repeatLook(
  context: StudyContext,
  { plan }: LockedPlan,
  { last, release }: Pick<LockedLook, "last" | "release">,
  run: RunRegistered,
): Promise<{ readonly numbers: readonly RegisteredNumber[]; readonly prices: string }> {
  const data = await loadData(context, plan, last, release);
  const inSample = await runInSample(plan, data, run);
  const held = await run(plan, data, holdOutOf(plan, last));
  return { numbers: [...inSample, ...held], prices: data.seen.prices };
}

/** Tests if two numbers are the same: the last digits of a sum depend on the processor. */
export function isSame(known: RegisteredNumber, again: RegisteredNumber): boolean {
  return (Object.keys(known) as (keyof RegisteredNumber)[]).every((name) => {
    const [a, b] = [known[name], again[name]];
    if (typeof a !== "number" || typeof b !== "number") return a === b;
    return Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a));
  });
}

async function loadData(
  context: StudyContext,
  plan: RegisteredPlan,
  last: string,
  release: string | null,
) {
  const { place } = context;
  const path = plan.prices ?? onlyInput(await place.refresh(), plan);
  await pinInput(place, path, false);
  const absolute = join(place.folder, ...path.split("/"));
  const { prices } = await checkedPrices([absolute], {}, null);
  const { sha256 } = await hashFile(absolute);
  const unlimited = { ...context, isUnlimited: true };
  if (plan.scores === "panel") {
    const [from] = Object.values(plan.periods).map((period) => period.from!).toSorted();
    const options = { sessions: { from: from!, to: last } };
    const { data } = await loadStudyPanel(unlimited, plan.factor, options);
    return { scores: data, prices, seen: { release: null, prices: sha256 } };
  }
  const options = { progress: false, ...(release !== null && { downloadSha256: release }) };
  const { data, raw } = await loadStudyHistory(unlimited, plan.factor, options, false);
  const { downloadSha256 } = raw.release;
  return { scores: data as DataFrame, prices, seen: { release: downloadSha256, prices: sha256 } };
}

function onlyInput({ inputs }: StudyLock, { name }: RegisteredPlan): string {
  if (inputs.length === 1) return inputs[0]!.path;
  throw new ScoreframeError(
    `Cannot open the hold-out of ${name}: expected one input in the lock, the prices, because the plan names no prices, got ` +
      `${inputs.length}; add the prices to the study with study.input(PATH), or register a test with prices`,
  );
}

function findPlan(lock: StudyLock, name: string, folder: string): LockedPlan {
  const plans = plansOf(lock);
  const found = plans.find((plan) => plan.name === name);
  if (found !== undefined) return found;
  throw new ScoreframeError(
    `Cannot open the hold-out of ${JSON.stringify(name)}: expected a registered test of the ` +
      `study ${folder}, got ${plans.map((plan) => plan.name).join(", ") || "none"}; register ` +
      "it with study.register()",
  );
}
