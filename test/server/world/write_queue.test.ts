import { describe, expect, test } from "vitest";
import { WriteQueue } from "../../../src/server/world/write_hours.ts";

describe("WriteQueue", () => {
  test("runs at most sixteen writes at once, and all of them in the end", async () => {
    const queue = new WriteQueue();
    let running = 0, most = 0, done = 0;
    for (let i = 0; i < 50; i++) {
      await queue.add(async () => {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setTimeout(resolve, 0));
        running--;
        done++;
      });
    }
    await queue.settle();
    expect([most, done]).toEqual([16, 50]);
  });

  test("starts nothing after a failure, and tells the first one", async () => {
    const queue = new WriteQueue();
    let started = 0;
    await queue.add(() => Promise.reject(new Error("first")));
    await queue.add(() => Promise.reject(new Error("second"))).catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 0));
    await expect(queue.add(() => Promise.resolve(started++))).rejects.toThrow("first");
    await expect(queue.settle()).rejects.toThrow("first");
    expect(started).toBe(0);
  });
});
