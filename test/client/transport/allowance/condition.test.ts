import { describe, expect, test } from "vitest";
import { Condition } from "../../../../src/client/transport/allowance/gate.ts";

const soon = () => new Promise((resolve) => setTimeout(resolve, 1));

describe("a condition", () => {
  test("wakes all callers that wait now, and none that comes later", async () => {
    const condition = new Condition();
    const woken: string[] = [];
    condition.next().then(() => woken.push("a"));
    condition.next().then(() => woken.push("b"));
    condition.notifyAll();
    condition.next().then(() => woken.push("late"));
    await soon();
    expect(woken).toEqual(["a", "b"]);
  });
});
