import { expect, test } from "vitest";
import { FairTurns } from "../../../src/desk/relay/upstream/fair_turns.ts";

/** Questions that end when they are told to, and the order in which they got their turns. */
function board(places: number) {
  const turns = new FairTurns(places);
  const order: string[] = [];
  const running: (() => void)[] = [];
  const ask = (user: string, name: string) =>
    turns.run(user, () => {
      order.push(name);
      return new Promise<void>((resolve) => running.push(resolve));
    });
  const tick = () => new Promise((resolve) => setTimeout(resolve));
  const endNext = async () => {
    await tick();
    running.shift()!();
    await tick();
  };
  return { turns, order, ask, endNext };
}

test("while somebody else waits, nobody gets two turns in a row", async () => {
  const { order, ask, endNext } = board(1);
  const asked = ["a1", "a2", "a3", "b1", "a4", "c1", "b2"].map((name) => ask(name[0]!, name));
  for (let i = 0; i < 7; i++) await endNext();
  await Promise.all(asked);
  expect(order).toEqual(["a1", "b1", "c1", "a2", "b2", "a3", "a4"]);
});

test("a question that fails gives its turn on", async () => {
  const turns = new FairTurns(1);
  await expect(turns.run("a", () => Promise.reject(new Error("x")))).rejects.toThrow("x");
  expect(await turns.run("b", () => Promise.resolve(2))).toBe(2);
  expect(turns.waiting).toBe(0);
});

test("as many run at once as there are places", async () => {
  const { turns, order, ask, endNext } = board(2);
  const asked = ["a1", "a2", "a3"].map((name) => ask("a", name));
  await new Promise((resolve) => setTimeout(resolve));
  expect([order, turns.waiting]).toEqual([["a1", "a2"], 1]);
  await endNext();
  expect([order, turns.waiting]).toEqual([["a1", "a2", "a3"], 0]);
  await endNext();
  await endNext();
  await Promise.all(asked);
});
