import fc from "fast-check";
import { expect, test } from "vitest";
import { FolderListing } from "../../../src/base/disk/folder_listing.ts";

const TICK_MS = 4;
const turns = async (count: number) => {
  for (let i = 0; i < count; i++) await null;
};

// A folder whose clock ticks coarsely, that other processes write into, and whose reading takes time.
class Folder {
  readonly names = new Set<string>();
  nowMs = 1_000_000;
  changedMs = 0;
  readings = 0;

  put(name: string): boolean {
    const isNew = !this.names.has(name);
    this.names.add(name);
    if (isNew) this.changedMs = Math.floor(this.nowMs / TICK_MS) * TICK_MS;
    return isNew;
  }

  listing(largeFrom: number, readingTurns: number) {
    return new FolderListing<string>("/folder", {
      toEntries: (names) => names.toSorted(),
      keyOf: (name) => name,
      now: () => this.nowMs,
      largeFrom,
      disk: {
        changedMs: () => this.changedMs,
        steadyMs: () => this.nowMs,
        names: async () => {
          this.readings++;
          await turns(readingTurns);
          const found = [...this.names];
          this.nowMs += 30;
          await turns(readingTurns);
          return found;
        },
      },
    });
  }
}

const NAME = fc.integer({ min: 0, max: 12 }).map((i) => `n${String(i).padStart(2, "0")}`);
const MOVE = fc.oneof(
  fc.record({ kind: fc.constant("foreign" as const), name: NAME }),
  fc.record({
    kind: fc.constant("own" as const),
    name: NAME,
    wait: fc.integer({ min: 0, max: 6 }),
    rival: fc.boolean(),
  }),
  fc.record({ kind: fc.constant("failing" as const), name: NAME }),
  { arbitrary: fc.record({ kind: fc.constant("list" as const) }), weight: 4 },
  fc.record({ kind: fc.constant("time" as const), ms: fc.constantFrom(1, 5, 200, 3_000) }),
  {
    arbitrary: fc.record({
      kind: fc.constant("turns" as const),
      count: fc.integer({ min: 1, max: 9 }),
    }),
    weight: 3,
  },
);

test("in a thousand schedules lists what this process wrote at once, and what others wrote in time", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(MOVE, { maxLength: 40 }),
      fc.constantFrom(1, 3, 1_000),
      fc.integer({ min: 0, max: 8 }),
      async (moves, largeFrom, readingTurns) => {
        const folder = new Folder();
        folder.put("a");
        folder.nowMs += 1_000;
        const listing = folder.listing(largeFrom, readingTurns);
        const own = new Set<string>();
        const running: Promise<unknown>[] = [];
        const lacking: string[] = [];
        for (const move of moves) {
          if (move.kind === "foreign") folder.put(move.name);
          if (move.kind === "time") folder.nowMs += move.ms;
          if (move.kind === "turns") await turns(move.count);
          if (move.kind === "own") {
            running.push(
              listing.adding(`/folder/${move.name}`, async () => {
                await turns(move.wait);
                // Another process writes the same file at the same moment.
                if (move.rival) folder.put(move.name);
                const isNew = folder.put(move.name);
                await turns(move.wait);
                return isNew;
              }).then(() => own.add(move.name)),
            );
          }
          if (move.kind === "failing") {
            const failing = listing.adding(
              `/folder/${move.name}`,
              () => Promise.reject(new Error()),
            );
            running.push(failing.catch(() => undefined));
          }
          if (move.kind === "list") {
            // A small folder is exact; a large one has what this process wrote.
            const due = [...largeFrom === 1_000 ? folder.names : own];
            running.push(
              listing.list().then((names) => {
                lacking.push(...due.filter((name) => !names.includes(name)));
                expect(names).toEqual([...new Set(names)].toSorted());
              }),
            );
          }
        }
        await Promise.all(running);
        expect(lacking).toEqual([]);
        // The stated time: a reading of a large folder takes at most a fiftieth of the time, 30 ms here.
        for (let i = 0; i < 3; i++) {
          folder.nowMs += 30 * 51;
          await listing.list();
          await turns(4 * readingTurns + 20);
        }
        expect(await listing.list()).toEqual([...folder.names].toSorted());
      },
    ),
    { numRuns: 1_000, seed: 38 },
  );
});

test("a check that another process wrote at the same moment is listed by the one that found its name taken", async () => {
  const folder = new Folder();
  folder.put("a");
  folder.nowMs += 1_000;
  const listing = folder.listing(1, 0);
  expect(await listing.list()).toEqual(["a"]);
  const isNew = await listing.adding("/folder/b", () => {
    folder.put("b");
    return Promise.resolve(false);
  });
  expect([isNew, await listing.list(), folder.readings]).toEqual([false, ["a", "b"], 1]);
});

test("a listing that is asked for while the folder is read is not the one from before", async () => {
  const folder = new Folder();
  folder.put("a");
  folder.nowMs += 1_000;
  const listing = folder.listing(1_000, 5);
  await listing.list();
  folder.put("b");
  folder.nowMs += 1_000;
  const first = listing.list();
  await turns(3);
  expect(await listing.list()).toEqual(["a", "b"]);
  expect(await first).toEqual(["a", "b"]);
});
