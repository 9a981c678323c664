import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addFacts } from "../../../src/study/lock/add_facts.ts";
import type { LockedSet, LockedView, StudyLock } from "../../../src/study/lock/lock.ts";
import { encodeLock, parseLock } from "../../../src/study/lock/lock_text.ts";

const SET: LockedSet = {
  factor: "ecpnd",
  snapshotId: "3f2b7c1e-9a4d-4c8b-8f10-2d6e5a7b9c01",
  factorVersion: "ecpnd-v1",
  universe: "US research universe",
  calculatedAt: "2026-11-20T10:00:00.000Z",
  tickers: 8,
  scored: 7,
  numbers: "a".repeat(64),
};
const VIEW: LockedView = {
  factor: "ecpnd",
  at: "2026-11-20T12:30:00.000Z",
  snapshotId: SET.snapshotId,
  check: {
    lastCheckedAt: "2026-11-20T12:00:00.000Z",
    dataThrough: "2026-11-20T11:55:00.000Z",
    status: "current",
  },
  receipt: { said: "c".repeat(64), retrievedAt: "2026-11-20T12:30:01.000Z" },
};
const EMPTY: StudyLock = {
  asOf: "2026-11-20T15:00:00.000Z",
  service: "https://api.example.com",
  world: { name: "a world", seed: 7 },
  synthetic: false,
  sets: [],
  views: [],
  absences: [],
  releases: [],
  inputs: [],
  registered: [],
  ignore: [],
  environment: { scoreframe: "0.1.0", runtime: "deno 2.9.6", polars: "0.25.2" },
};

describe("the text of a lock", () => {
  test("has one fact a line, sorted, and no fact twice", () => {
    const lock = addFacts(addFacts(EMPTY, { views: [VIEW], sets: [SET] }), { sets: [SET] });
    const sealOf = (part: string) =>
      new RegExp(`"${part}": "\\d ([0-9a-f]{16})"`).exec(encodeLock(lock))![1];
    expect(encodeLock(lock)).toBe(
      `{
"format": 2,
"as_of": "2026-11-20T15:00:00.000Z",
"service": "https://api.example.com",
"world": {"name":"a world","seed":7},
"synthetic": false,
"sets": [
 {"factor":"ecpnd","calculated_at":"2026-11-20T10:00:00.000Z","snapshot_id":"3f2b7c1e-9a4d-4c8b-8f10-2d6e5a7b9c01","factor_version":"ecpnd-v1","universe":"US research universe","tickers":8,"scored":7,"numbers":"${
        "a".repeat(64)
      }"}
],
"views": [
 {"factor":"ecpnd","at":"2026-11-20T12:30:00.000Z","snapshot_id":"3f2b7c1e-9a4d-4c8b-8f10-2d6e5a7b9c01","last_checked_at":"2026-11-20T12:00:00.000Z","data_through":"2026-11-20T11:55:00.000Z","status":"current","retrieved_at":"2026-11-20T12:30:01.000Z","check":"${
        "c".repeat(64)
      }"}
],
"absences": [],
"releases": [],
"inputs": [],
"ignore": [],
"environment": {
 "scoreframe": "0.1.0",
 "runtime": "deno 2.9.6",
 "polars": "0.25.2"
},
"seal": {
 "head": "4 ${sealOf("head")}",
 "sets": "1 ${sealOf("sets")}",
 "views": "1 ${sealOf("views")}",
 "absences": "0 e3b0c44298fc1c14",
 "releases": "0 e3b0c44298fc1c14",
 "inputs": "0 e3b0c44298fc1c14"
}
}
`,
    );
  });

  test("is the same whatever order its facts came in", () => {
    const instant = fc.date({
      min: new Date("2020-01-01"),
      max: new Date("2026-01-01"),
      noInvalidDate: true,
    }).map((date) => date.toISOString());
    fc.assert(fc.property(fc.uniqueArray(instant), fc.infiniteStream(fc.nat()), (times, keys) => {
      const views = times.map((at) => ({ ...VIEW, at }));
      const shuffled = views.map((view) => [keys.next().value as number, view] as const)
        .toSorted(([a], [b]) => a - b).map(([, view]) => view);
      const text = encodeLock(addFacts(EMPTY, { views }));
      expect(encodeLock(addFacts(EMPTY, { views: shuffled }))).toBe(text);
      const read = parseLock(text);
      expect(encodeLock(read.lock)).toBe(text);
      expect([read.broken, read.isNormal]).toEqual([[], true]);
    }));
  });

  test("tells which part was changed by hand, and other line ends from other content", () => {
    const text = encodeLock(addFacts(EMPTY, { sets: [SET], views: [VIEW] }));
    const broken = (from: string | RegExp, to: string) => {
      expect(text).toMatch(from);
      return parseLock(text.replace(from, to)).broken;
    };
    const head = [{ part: "head", written: 4, found: 4 }];
    expect(broken("T15:00", "T16:00")).toEqual(head);
    expect(broken("api.example", "api.other")).toEqual(head);
    expect(broken('"seed":7', '"seed":8')).toEqual(head);
    expect(broken('"scored":7', '"scored":8')).toEqual([{ part: "sets", written: 1, found: 1 }]);
    expect(broken(/ \{.*"at".*\n/, "")).toEqual([{ part: "views", written: 1, found: 0 }]);
    expect(broken(/,\n "absences": "[^,]*/, "")).toEqual([
      { part: "absences", written: null, found: 0 },
    ]);
    expect(broken(/,\n"seal": \{[^}]*\}/, "").length).toBe(6);
    expect(parseLock(text.replaceAll("\n", "\r\n"))).toMatchObject({ broken: [], isNormal: true });
    const spaced = text.replace('"absences": []', '"absences":  []');
    expect(parseLock(spaced)).toMatchObject({ broken: [], isNormal: false });
  });

  test("is refused with the path of what is wrong in it", () => {
    const text = encodeLock(addFacts(EMPTY, { sets: [SET] }));
    const refused = (from: string, to: string) => () => parseLock(text.replace(from, to));
    expect(refused('"tickers":8', '"tickers":-8')).toThrow("$.sets[0].tickers");
    expect(refused('"factor":"ecpnd"', '"factor":"ecpnx"')).toThrow("$.sets[0].factor");
    expect(refused("aaaa", "zzzz")).toThrow("$.sets[0].numbers");
    expect(refused('"format": 2', '"format": 4')).toThrow("$.format");
    // Registered tests that were taken out with their format.
    expect(refused('"format": 2', '"format": 3')).toThrow("$.registered");
    expect(refused('"ignore": []', '"ignore": ["("]')).toThrow("$.ignore[0]");
    expect(refused('"as_of"', '"service"')).toThrow("repeated name");
    const views = encodeLock(addFacts(EMPTY, { views: [VIEW] }));
    const line = / \{"factor".*\}\n/.exec(views)![0];
    const twice = (other: string) => () =>
      parseLock(views.replace(line, `${line.trimEnd()},\n${other}`));
    expect(twice(line)).toThrow("$.views[1]: expected a line that does not repeat");
    expect(twice(line.replace("current", "stale"))).toThrow(
      "$.views[1]: expected one line for each fact",
    );
  });

  test("never gives another fact for one that it has", () => {
    const lock = addFacts(EMPTY, { sets: [SET], views: [VIEW] });
    const other = { ...SET, numbers: "b".repeat(64) };
    expect(() => addFacts(lock, { sets: [other] })).toThrow("what was published never changes");
    const moved = { ...VIEW, snapshotId: "3f2b7c1e-9a4d-4c8b-8f10-2d6e5a7b9c02" };
    expect(() => addFacts(lock, { views: [moved] })).toThrow("published never changes");
    const less = addFacts(lock, { views: [{ ...VIEW, check: null }] });
    expect(less.views).toEqual([VIEW]);
  });

  test("of format 1 is read, says less, and takes what the same fact says now", () => {
    const old = encodeLock({ ...EMPTY, sets: [SET], views: [{ ...VIEW, receipt: null }] })
      .replace('"format": 2', '"format": 1').replace(/"inputs": \[\],\n/, "")
      .replace(/,\n "inputs": "[^"]*"/, "");
    expect(old).not.toContain("inputs");
    const read = parseLock(old);
    expect([read.format, read.broken, read.lock.inputs]).toEqual([1, [], []]);
    expect(read.lock.views[0]!.receipt).toBeNull();
    expect(addFacts(read.lock, { views: [VIEW] }).views).toEqual([VIEW]);
    const other = { said: "d".repeat(64), retrievedAt: VIEW.at };
    expect(() => addFacts({ ...EMPTY, views: [VIEW] }, { views: [{ ...VIEW, receipt: other }] }))
      .toThrow("published never changes");
  });

  test("takes inputs whose paths stay in the folder", () => {
    const input = { path: "data/prices.parquet", sha256: "e".repeat(64), sizeBytes: 12 };
    const text = encodeLock(addFacts(EMPTY, { inputs: [input] }));
    expect(text).toContain(
      `"inputs": [\n {"path":"data/prices.parquet","sha256":"${
        "e".repeat(64)
      }","size_bytes":12}\n]`,
    );
    expect(parseLock(text).lock.inputs).toEqual([input]);
    for (const path of ["../x", "/etc/passwd", "a//b", "store/x", "a\\\\b", "C:x", ""]) {
      expect(() => parseLock(text.replace("data/prices.parquet", path)), path).toThrow(
        "$.inputs[0].path",
      );
    }
    const changed = { ...input, sizeBytes: 13 };
    expect(() => addFacts(parseLock(text).lock, { inputs: [changed] })).toThrow("Cannot add");
    expect(addFacts(parseLock(text).lock, { inputs: [changed], repin: true }).inputs).toEqual([
      changed,
    ]);
  });
});
