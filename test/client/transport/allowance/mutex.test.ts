import { describe, expect, test } from "vitest";
import { Mutex } from "../../../../src/client/transport/allowance/gate.ts";

const soon = () => new Promise((resolve) => setTimeout(resolve, 1));

describe("a mutex", () => {
  test("lets one through at a time, in the order in which they came", async () => {
    const mutex = new Mutex();
    const seen: string[] = [];
    const enter = async (name: string) => {
      const giveTurn = await mutex.take();
      seen.push(`${name} in`);
      await soon();
      seen.push(`${name} out`);
      giveTurn();
      giveTurn();
    };
    await Promise.all(["a", "b", "c"].map(enter));
    expect(seen).toEqual(["a in", "a out", "b in", "b out", "c in", "c out"]);
  });

  test("gives the turn at once to who is alone, and nobody passes those that wait", async () => {
    const mutex = new Mutex();
    const first = mutex.takeNow();
    expect(first).toBeInstanceOf(Function);
    expect(mutex.takeNow()).toBeNull();
    const waiting = mutex.take();
    first!();
    // A turn that is passed on twice must not let a third caller in.
    first!();
    expect(mutex.takeNow()).toBeNull();
    const second = await waiting;
    expect(mutex.takeNow()).toBeNull();
    second();
    expect(mutex.takeNow()).toBeInstanceOf(Function);
  });
});
