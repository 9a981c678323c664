import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { withFlight } from "../../../src/base/disk/with_flight.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "scoreframe-flight-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const fly = <Result>(question: string, run: () => Promise<Result>, maxWaitMs = 10_000) =>
  withFlight({ folder, question, maxWaitMs }, run);

test("flights of one question follow each other, those of others do not wait", async () => {
  const order: string[] = [];
  const landing = Promise.withResolvers<void>();
  const taken = Promise.withResolvers<void>();
  const first = fly("a", async () => {
    order.push("first begins");
    taken.resolve();
    await landing.promise;
    order.push("first ends");
  });
  await taken.promise;
  const second = fly("a", () => Promise.resolve(order.push("second")));
  await fly("b", () => Promise.resolve(order.push("other")));
  landing.resolve();
  await Promise.all([first, second]);
  expect(order).toEqual(["first begins", "other", "first ends", "second"]);
  expect(await readdir(folder)).toEqual([]);
});

test("many flights of one question are one at a time, and leave nothing", async () => {
  let flying = 0;
  let most = 0;
  await Promise.all(Array.from({ length: 12 }, () =>
    fly("a", async () => {
      most = Math.max(most, ++flying);
      await Promise.resolve();
      flying--;
    })));
  expect(most).toBe(1);
  expect(await readdir(folder)).toEqual([]);
});

test("a flight that fails gives the question free", async () => {
  await expect(fly("a", () => Promise.reject(new Error("no answer")))).rejects.toThrow("no answer");
  expect(await fly("a", () => Promise.resolve(7))).toBe(7);
});

test("one that lasts longer than the patience is not waited for", async () => {
  const landing = Promise.withResolvers<void>();
  const taken = Promise.withResolvers<void>();
  const first = fly("a", () => {
    taken.resolve();
    return landing.promise;
  });
  await taken.promise;
  expect(await fly("a", () => Promise.resolve("all the same"), 0)).toBe("all the same");
  landing.resolve();
  await first;
});

test("a process that is killed gives the question free", async () => {
  const module = new URL("../../../src/base/disk/with_flight.ts", import.meta.url).href;
  const program = `import { withFlight } from ${JSON.stringify(module)};
    await withFlight({ folder: ${
    JSON.stringify(folder)
  }, question: "a", maxWaitMs: 0 }, async () => {
      Deno.stdout.writeSync(new Uint8Array([10]));
      await new Promise((resolve) => setTimeout(resolve, 600_000));
    });`;
  const args = ["eval", program];
  const child = new Deno.Command(Deno.execPath(), { args, stdout: "piped" }).spawn();
  const reader = child.stdout.getReader();
  await reader.read();
  const waiting = fly("a", () => Promise.resolve("after it"));
  child.kill("SIGKILL");
  expect(await waiting).toBe("after it");
  await reader.cancel();
  await child.status;
  expect(await readdir(folder)).toEqual([]);
});

test("waiting ends with its signal", async () => {
  const landing = Promise.withResolvers<void>();
  const taken = Promise.withResolvers<void>();
  const first = fly("a", () => {
    taken.resolve();
    return landing.promise;
  });
  await taken.promise;
  const stop = new AbortController();
  const waiting = withFlight(
    { folder, question: "a", maxWaitMs: 10_000, signal: stop.signal },
    () => Promise.resolve("never"),
  );
  stop.abort(new Error("stopped"));
  await expect(waiting).rejects.toThrow("stopped");
  landing.resolve();
  await first;
});

test("a folder that is not there keeps nobody from asking", async () => {
  const gone = join(folder, "gone");
  expect(await withFlight({ folder: gone, question: "a", maxWaitMs: 0 }, () => Promise.resolve(7)))
    .toBe(7);
});
