import { describe, expect, test } from "vitest";
import { Bell, Turnstile } from "../../../src/transport/allowance/turnstile.ts";

const soon = () => new Promise((resolve) => setTimeout(resolve, 1));

describe("a turnstile", () => {
  test("lets one through at a time, in the order in which they came", async () => {
    const turnstile = new Turnstile();
    const seen: string[] = [];
    const enter = async (name: string) => {
      const giveTurn = await turnstile.take();
      seen.push(`${name} in`);
      await soon();
      seen.push(`${name} out`);
      giveTurn();
      giveTurn();
    };
    await Promise.all(["a", "b", "c"].map(enter));
    expect(seen).toEqual(["a in", "a out", "b in", "b out", "c in", "c out"]);
  });
});

describe("a bell", () => {
  test("wakes all who wait now, and nobody who comes later", async () => {
    const bell = new Bell();
    const heard: string[] = [];
    bell.next().then(() => heard.push("a"));
    bell.next().then(() => heard.push("b"));
    bell.ring();
    bell.next().then(() => heard.push("late"));
    await soon();
    expect(heard).toEqual(["a", "b"]);
  });
});
