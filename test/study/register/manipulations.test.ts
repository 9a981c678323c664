import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { importStudy } from "../../../src/study/share/import_study.ts";
import { exportStudy } from "../../../src/study/share/export_study.ts";
import { inOrder } from "../../../src/study/lock/chain.ts";
import { chainEntry, hashEntry, type LockedEntry } from "../../../src/study/lock/entry.ts";
import { encodeLock, parseLock } from "../../../src/study/lock/lock_text.ts";
import { verifyStudy } from "../../../src/study/verify/verify_study.ts";
import { pageVerdicts } from "../_format_page.ts";
import { PLAN, startRegistered } from "./_registered.ts";

const LOCK = "study.lock.json";
const EDITED =
  /the (plan|look|result) of the registered test main: expected its hash [0-9a-f]{64}, got/;

let service: Awaited<ReturnType<typeof startRegistered>>;
let pristine: string;
let text: string;
let copies = 0;
const verdicts = new Map<string, boolean>();
beforeAll(async () => {
  service = await startRegistered();
  pristine = await service.makeFolder("pristine");
  const study = await service.open(pristine);
  await study.register({ ...PLAN, periods: { all: {}, spring: { to: "2026-05-29" } } });
  service.clock.ms += 60_000;
  await study.openHoldOut("main");
  service.clock.ms += 60_000;
  await study.openHoldOut("main");
  service.clock.ms += 60_000;
  await study.register({ ...PLAN, name: "second" });
  await study.close();
  text = await readFile(join(pristine, LOCK), "utf8");
});
afterAll(() => service.close());

async function problemsOf(edited: string): Promise<string> {
  expect(edited).not.toBe(text);
  const folder = `${pristine}-${++copies}`;
  await cp(pristine, folder, { recursive: true });
  await writeFile(join(folder, LOCK), edited);
  const { problems } = await verifyStudy(folder).catch((error: Error) => ({
    problems: [{ path: "study.lock.json", says: error.message }],
  }));
  verdicts.set(folder, problems.length === 0);
  return problems.map(({ path, says }) => `${path}: ${says}`).join("\n");
}

/** The lock with other entries, sealed again as somebody would who knows the format. */
function resealed(edit: (entries: LockedEntry[]) => readonly LockedEntry[]): string {
  const { lock } = parseLock(text);
  return encodeLock({ ...lock, registered: edit([...inOrder(lock.registered)]) });
}

function rehashed(entry: LockedEntry): LockedEntry {
  return { ...entry, sha256: hashEntry(entry) };
}

const [PLAN_AT, LOOK_AT, RESULT_AT, LOOK_2, RESULT_2] = [0, 1, 2, 3, 4] as const;

// Each text stands once in the line that it is looked for in.
const EDITS: Readonly<Record<string, readonly [from: string, to: string]>> = {
  "the question": ['"question":"Does ecpnd rank returns?"', '"question":"Does ecpnd rank risk?"'],
  "the factor": ['"factor":"ecpnd","scores"', '"factor":"ecqdi","scores"'],
  "the source": ['"scores":"history"', '"scores":"panel"'],
  "a horizon": ['"horizons":[1,5]', '"horizons":[1,21]'],
  "a period": ['"to":"2026-05-29"', '"to":"2026-04-30"'],
  "the universe": ['"universe":null', '"universe":["SRIA"]'],
  "the prices": ['"prices":"closes.csv"', '"prices":"other.csv"'],
  "the fewest stocks": ['"min_names":10', '"min_names":3'],
  "the hold-out": ['"hold_out_from":"2026-08-03"', '"hold_out_from":"2026-09-01"'],
  "what was loaded before": ['"loaded_before":0', '"loaded_before":4'],
  "looks before": ['"looks_before":0', '"looks_before":1'],
  "the time of the plan": [
    '"at":"2026-11-20T15:00:00.000Z","kind":"plan"',
    '"at":"2026-01-02T15:00:00.000Z","kind":"plan"',
  ],
  "the time of a look": [
    '"at":"2026-11-20T15:01:00.000Z","kind":"look"',
    '"at":"2026-11-20T15:00:30.000Z","kind":"look"',
  ],
  "the number of a look": [
    '"kind":"look","name":"main","number":2',
    '"kind":"look","name":"main","number":1',
  ],
  "the first session": ['"first":"2026-08-03","last"', '"first":"2026-08-04","last"'],
  "the last session": ['"last":"2026-11-19"', '"last":"2026-10-30"'],
  "the hash of the prices": ['"prices":"81a3', '"prices":"91a3'],
  "a number of the result": [
    '"sample":"hold-out","horizon":1,"sessions":64,"mean_ic":0.0',
    '"sample":"hold-out","horizon":1,"sessions":64,"mean_ic":0.1',
  ],
  "the sessions of a result": [
    '"sample":"hold-out","horizon":5,"sessions":64',
    '"sample":"hold-out","horizon":5,"sessions":640',
  ],
};

test.each(Object.entries(EDITS))(
  "verify names an edit of %s, also if it was sealed again",
  async (_, [from, to]) => {
    expect(text).toContain(from);
    const edited = text.replace(from, to);
    const named = await problemsOf(edited);
    expect(named).toMatch(EDITED);
    expect(await problemsOf(encodeLock(parseLock(edited).lock))).toMatch(EDITED);
  },
);

type Forgeries = Readonly<
  Record<string, readonly [edit: (entries: LockedEntry[]) => readonly LockedEntry[], says: string]>
>;
const MOVED = "an entry was edited, removed or moved";
const NO_PLAN = "expected its plan before it, got none";

const FORGERIES: Forgeries = {
  "a plan with its hash": [(entries) => {
    const [plan, ...others] = entries as [LockedEntry & { kind: "plan" }, ...LockedEntry[]];
    const easier = { ...plan, plan: { ...plan.plan, horizons: [1] } };
    return [rehashed(easier), ...others];
  }, MOVED],
  "a result with its hash": [(entries) => {
    const result = entries[RESULT_AT!] as LockedEntry & { kind: "result" };
    const numbers = result.numbers.map((number) => ({ ...number, p: 0.001 }));
    return entries.with(RESULT_AT!, rehashed({ ...result, numbers }));
  }, MOVED],
  "a removed result": [(entries) => entries.toSpliced(RESULT_AT!, 1), MOVED],
  "a removed look with its result": [
    (entries) => entries.toSpliced(LOOK_AT!, 2),
    "an entry was edited",
  ],
  "a removed plan": [(entries) => entries.toSpliced(PLAN_AT!, 1), NO_PLAN],
  "results that were exchanged": [(entries) => {
    const [a, b] = [entries[RESULT_AT!]!, entries[RESULT_2!]!];
    return entries.with(RESULT_AT!, rehashed({ ...a, before: b.before } as LockedEntry))
      .with(RESULT_2!, rehashed({ ...b, before: a.before } as LockedEntry));
  }, MOVED],
  "a first look taken away, and everything chained again": [
    (entries) => chained(entries.toSpliced(LOOK_AT!, 2)),
    "expected look 1, got look 2",
  ],
  "a look that was put behind its result": [(entries) =>
    chained([
      entries[PLAN_AT!]!,
      entries[RESULT_AT!]!,
      entries[LOOK_AT!]!,
      ...entries.slice(LOOK_2!),
    ]), "expected its look before it, got none"],
  "a plan written after its look": [
    (entries) => chained([...entries.slice(1), entries[PLAN_AT!]!]),
    NO_PLAN,
  ],
  "a second plan of the same name": [
    (entries) => chained([...entries, { ...entries[PLAN_AT!]!, at: "2026-11-20T15:09:00.000Z" }]),
    "expected one plan named main, got a second",
  ],
};

type Fields = Record<string, unknown>;
/** An entry with other fields, and all of the chain made anew. */
const remade =
  (at: number, fields: Fields | ((entry: Fields) => Fields)) => (entries: LockedEntry[]) => {
    const entry = entries[at] as unknown as Fields;
    const others = typeof fields === "function" ? fields(entry) : fields;
    return chained(entries.with(at, { ...entry, ...others } as never));
  };
const planned = (fields: Fields) =>
  remade(PLAN_AT, ({ plan }) => ({ plan: { ...plan as Fields, ...fields } }));
const numbered = (fields: Fields) =>
  remade(RESULT_2, ({ numbers }) => ({
    numbers: (numbers as Fields[]).map((number) => ({ ...number, ...fields })),
  }));

// What one line says against another, whoever chained and sealed them.
const CONTRADICTIONS: Forgeries = {
  "a plan with prices that are no input": [
    planned({ prices: "other.csv" }),
    "expected its prices other.csv among the inputs",
  ],
  "a plan whose period reaches into the hold-out": [
    planned({
      periods: { all: { from: null, to: "2026-09-01" }, spring: { from: null, to: "2026-05-29" } },
    }),
    "expected periods that end before the hold-out",
  ],
  "a plan whose horizons are out of order": [
    planned({ horizons: [5, 1] }),
    "expected horizons in ascending order",
  ],
  "a look at other prices": [
    remade(LOOK_2, { prices: "0".repeat(64) }),
    "expected its prices 0000",
  ],
  "a look at a release that is not there": [
    remade(LOOK_2, { release: "0".repeat(64) }),
    "expected the release 0000",
  ],
  "a look without a release": [
    remade(LOOK_2, { release: null }),
    "expected a release, as planned, got null",
  ],
  "a look whose first session is another": [
    remade(LOOK_2, { first: "2026-07-31" }),
    "expected sessions from 2026-08-03",
  ],
  "a look after the study's time": [
    remade(LOOK_2, { asOf: "2026-11-27T15:00:00.000Z" }),
    "expected a look by the study's time",
  ],
  "a p above 1": [numbered({ p: 1.5 }), "expected a p from 0 to 1"],
  "an IC outside of its interval": [numbered({ high: -0.9, low: -1 }), "an IC within its interval"],
  "a result of a horizon that was not planned": [numbered({ horizon: 21 }), "as planned, got"],
};

test.each(Object.entries(CONTRADICTIONS))(
  "verify names %s, chained and sealed again",
  async (_, [edit, said]) => {
    expect(await problemsOf(resealed(edit))).toContain(said);
  },
);

/** Forms of a lock that hide what it registered, each with seals that fit. */
const HIDDEN: Readonly<Record<string, readonly [edit: (text: string) => string, says: string]>> = {
  "one digit": [(it) => it.replace('"format": 3', '"format": 2'), "no such list in format 2"],
  "format 1": [(it) => it.replace('"format": 3', '"format": 1'), "no such list in format 1"],
  "an empty list": [
    (it) => it.replace(/"registered": \[[^]*?\n\]/, '"registered": []'),
    "for which format 3 is written",
  ],
  "a seal that is left over": [
    (it) => it.replace('"format": 3', '"format": 2').replace(/"registered": \[[^]*?\n\],\n/, ""),
    "no such seal in format 2",
  ],
};

test.each(Object.entries(HIDDEN))(
  "%s lifts no hold-out: verify and every verb refuse it",
  async (_, [edit, said]) => {
    const { lock } = parseLock(text);
    const edited = edit(text);
    // As somebody seals it who knows the format.
    const fitting = /"seal": \{[^]*\}/.exec(encodeLock({ ...lock, registered: [] }))![0];
    for (
      const forged of [
        edited,
        edited.replace(/"head": "[^"]*"/, /"head": "[^"]*"/.exec(fitting)![0]),
      ]
    ) {
      expect(await problemsOf(forged)).toContain(said);
      await expect(service.openFrozen(`${pristine}-${copies}`)).rejects.toThrow(said);
    }
  },
);

// As a forger chains entries who does not look at what they refer to.
function chained(entries: readonly LockedEntry[]): LockedEntry[] {
  const made: LockedEntry[] = [];
  for (const { before: _, sha256: __, ...entry } of entries) {
    made.push(chainEntry(entry as never, made.slice(-1).map(({ sha256 }) => sha256)));
  }
  return made;
}

test.each(Object.entries(FORGERIES))("verify names %s, sealed again", async (_, [edit, said]) => {
  expect(await problemsOf(resealed(edit))).toContain(said);
});

test("verify names a list of registered tests that was taken away whole", async () => {
  const { lock } = parseLock(text);
  const without = encodeLock({ ...lock, registered: [] });
  // The seal of the head covers the format, so that it is no longer that of the lock.
  const head = /"head": "[^"]*"/;
  const kept = without.replace(head, head.exec(text)![0]);
  expect(await problemsOf(kept)).toContain("seal was changed");
});

test("verbs refuse a lock with an edited plan, and nothing is added to it", async () => {
  const folder = `${pristine}-refused`;
  await cp(pristine, folder, { recursive: true });
  const edited = encodeLock(parseLock(text.replace('"min_names":10', '"min_names":3')).lock);
  await writeFile(join(folder, LOCK), edited);
  const study = await service.open(folder);
  await expect(study.openHoldOut("main")).rejects.toThrow(
    "expected the plan of main as it was written, got another: expected its hash",
  );
  await expect(study.register({ ...PLAN, name: "third" })).rejects.toThrow("as it was written");
  expect(await readFile(join(folder, LOCK), "utf8")).toBe(edited);
});

test("a frozen study computes the recorded look again and finds a forged last result", async () => {
  const folder = `${pristine}-forged`;
  await cp(pristine, folder, { recursive: true });
  const forged = resealed((entries) => {
    const result = entries[RESULT_2!] as LockedEntry & { kind: "result" };
    const numbers = result.numbers.map((number) => ({ ...number, p: 0.001 }));
    return chained([...entries.slice(0, RESULT_2), { ...result, numbers }, ...entries.slice(5)]);
  });
  await writeFile(join(folder, LOCK), forged);
  expect((await verifyStudy(folder)).problems).toEqual([]);
  const study = await service.openFrozen(folder);
  await expect(study.openHoldOut("main")).rejects.toThrow(
    /Cannot replay the look at the hold-out of main: expected .*"p":0.001.* as the lock says, got/,
  );
});

test("an export carries registered tests", async () => {
  const archive = `${pristine}.zip`;
  await exportStudy(pristine, archive, { withoutData: false, name: "pristine" });
  const imported = `${pristine}-imported`;
  await importStudy(archive, imported);
  expect(await readFile(join(imported, LOCK), "utf8")).toBe(text);
  const study = await service.openFrozen(imported);
  expect(study.heldOut).toMatchObject({ from: "2026-08-03", looks: 2, isOpen: false });
  expect((await study.openHoldOut("main")).looks).toBe(2);
});

test("the Python script of the format's page finds the same", async () => {
  const found = await pageVerdicts([...verdicts.keys()]);
  const others = [...verdicts].filter(([folder, isSound]) => found[folder]!.isSound !== isSound);
  expect(others.map(([folder]) => found[folder])).toEqual([]);
  expect(verdicts.size).toBeGreaterThan(60);
});
