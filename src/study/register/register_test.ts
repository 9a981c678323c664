import { IntegrityError, ScoreframeError } from "../../base/errors.ts";
import { commandLine } from "../../base/runtime/command_line.ts";
import { entryProblems } from "../hold_out/entry_problems.ts";
import { lastBefore, looksAt, plansOf } from "../hold_out/time_limit.ts";
import { pinInput } from "../inputs/pin_input.ts";
import type { LockedPlan, RegisteredPlan } from "../lock/entry.ts";
import type { StudyLock } from "../lock/lock.ts";
import type { StudyPlace } from "../study_place.ts";
import { readPlan, type RegisterOptions } from "./read_plan.ts";

/** Writes the plan of a test to the lock, dated by the service's clock; an existing plan costs no request. */
export async function registerTest(
  place: StudyPlace,
  options: RegisterOptions,
): Promise<LockedPlan> {
  const plan = readPlan(options);
  await place.pinned();
  const known = sameName(await place.refresh(), plan);
  if (known !== null) return known;
  if (place.mode === "frozen") {
    throw new ScoreframeError(
      `Cannot register the test ${plan.name}: expected it in the lock of the frozen study ${place.folder}, got none of that ` +
        "name; a run with SCOREFRAME_STUDY_MODE=auto registers it",
    );
  }
  if (plan.prices !== null) await pinInput(place, plan.prices, false);
  const { now } = await place.askService();
  const lock = await place.append((before) => {
    assertSound(place.folder, before);
    // Another process may have registered it meanwhile.
    if (sameName(before, plan) !== null) return null;
    const { holdOutFrom } = plan;
    return {
      kind: "plan",
      at: now,
      name: plan.name,
      plan,
      loadedBefore: countLoaded(before, plan),
      looksBefore: looksAt(before, holdOutFrom).length,
    };
  });
  return sameName(lock, plan)!;
}

/**
 * Refuses registered tests that were edited.
 *
 * @throws {IntegrityError} With the first problem
 */
export function assertSound(folder: string, lock: StudyLock): void {
  const [problem] = entryProblems(lock);
  if (problem === undefined) return;
  const { entry, says } = problem;
  throw new IntegrityError(
    `Cannot use the registered tests of the study ${folder}: expected the ${entry.kind} of ${entry.name} as it was ` +
      `written, got another: ${says}; ${commandLine()} study verify lists all; restore the lock from git`,
  );
}

// Views and releases that reach into the hold-out may have been seen.
function countLoaded({ views, releases }: StudyLock, { holdOutFrom, factor }: RegisteredPlan) {
  const last = lastBefore(holdOutFrom);
  return views.filter((view) => view.factor === factor && view.at > last).length +
    releases.filter((release) =>
      release.factor === factor && (release.lastSession ?? "") >= holdOutFrom
    ).length;
}

function sameName(lock: StudyLock, plan: RegisteredPlan): LockedPlan | null {
  const known = plansOf(lock).find(({ name }) => name === plan.name);
  if (known === undefined) return null;
  const differing = (Object.keys(plan) as (keyof RegisteredPlan)[])
    .filter((field) => JSON.stringify(plan[field]) !== JSON.stringify(known.plan[field]));
  if (differing.length === 0) return known;
  throw new ScoreframeError(
    `Cannot register the test ${plan.name}: expected the plan that was registered at ${known.at}, got another ` +
      `${differing.join(" and ")}; register a changed plan as a new test, under another name`,
  );
}
