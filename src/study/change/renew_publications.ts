import type { FactorApi } from "../../client/factor_api.ts";
import type { Factor } from "../../base/contract/factor.ts";
import type { Instant } from "../../base/contract/instant.ts";
import { addFacts } from "../lock/add_facts.ts";
import type { LockedView, StudyLock } from "../lock/lock.ts";
import { walkPublications } from "../replay/publication_walk.ts";
import { checkFact, checkReceipt, setFact, setKey } from "../replay/set_facts.ts";
import type { StudyPlace } from "../study_place.ts";
import { readWalk } from "../verbs/study_publications.ts";
import type { PlannedPart } from "./planned_part.ts";

const BEGINNING: Instant = "0000-01-01T00:00:00.000Z";

/** Lists the publications of a factor up to a new time, if a list up to the study's time was loaded; else `null`. */
export async function renewPublications(
  { place, live }: { readonly place: StudyPlace; readonly live: FactorApi },
  { lock, factor }: { readonly lock: StudyLock; readonly factor: Factor },
  after: Instant,
): Promise<PlannedPart | null> {
  const newest = await newestOfList(lock, factor);
  if (newest === null) return null;
  // The lock already has the list before this point.
  const interval = { from: newest, to: after };
  const { raw } = await live.publications(factor, interval).withResponse();
  const { views } = await readWalk(await place.openStore(), factor, interval);
  const fresh = views.map(({ at, set: { check }, retrievedAt }): LockedView => ({
    factor,
    at,
    snapshotId: check.snapshotId,
    check: checkFact(check),
    receipt: checkReceipt(check, retrievedAt),
  }));
  const published = raw.filter(({ check }) => check.calculatedAt > newest).length;
  return {
    change: { kind: "publications", factor, before: lock.asOf, after, published, comparison: null },
    lock: (known) =>
      addFacts(known, {
        sets: views.map(({ set: { check, rows } }) => setFact(check, rows)),
        views: fresh,
      }),
  };
}

// Only a list requests the instant just before a publication; without that instant no list was loaded.
async function newestOfList(lock: StudyLock, factor: Factor): Promise<Instant | null> {
  const sets = new Map(lock.sets.map((set) => [setKey(set), set]));
  const views = new Map(
    lock.views.filter((view) => view.factor === factor && view.check !== null)
      .map((view) => [view.at, view]),
  );
  const absent = new Set(
    lock.absences.filter((absence) => absence.factor === factor).map(({ at }) => at),
  );
  const walked = await walkPublications({ from: BEGINNING, to: lock.asOf }, (at) => {
    const view = views.get(at);
    const set = view && sets.get(setKey(view));
    if (set !== undefined) return { calculatedAt: set.calculatedAt };
    return absent.has(at) ? "none" : "unknown";
  });
  const [first, second] = walked.map(({ known }) => known);
  const isList = second !== undefined && second !== "unknown";
  return isList && typeof first === "object" ? first.calculatedAt : null;
}
