import { execFile, spawn } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readLockFile } from "../../../src/study/lock/lock_file.ts";
import { verifyStudy } from "../../../src/study/verify/verify_study.ts";
import { PLAN, startRegistered, TEST_KEY } from "./_registered.ts";

const PROGRAM = join(import.meta.dirname!, "_opening_process.ts");
const MOST_MS = 120_000;

let service: Awaited<ReturnType<typeof startRegistered>>;
let listener: Awaited<ReturnType<typeof service.server.listen>>;
beforeAll(async () => {
  service = await startRegistered();
  listener = await service.server.listen({ port: 0 });
});
afterAll(async () => {
  await listener.close();
  await service.close();
});

async function registered(name: string): Promise<string> {
  const folder = await service.makeFolder(name);
  const study = await service.open(folder, { baseUrl: listener.url, fetch });
  await study.register(PLAN);
  await study.history("ecpnd", { progress: false });
  return folder;
}

function argumentsOf(folder: string, end: string): readonly string[] {
  return ["run", "-A", PROGRAM, folder, listener.url, TEST_KEY, `${folder}-cache`, end];
}

async function looksOf(folder: string): Promise<readonly string[]> {
  const { lock } = (await readLockFile(folder))!;
  return lock.registered.flatMap((entry) =>
    entry.kind === "plan" ? [] : [`${entry.kind} ${entry.number}`]
  ).toSorted();
}

test("three processes at once: one first look, and each look counted", async () => {
  const folder = await registered("three");
  const said = await Promise.all(
    [1, 2, 3].map(() => promisify(execFile)(Deno.execPath(), argumentsOf(folder, "end"))),
  );
  const numbers = said.map(({ stdout }) =>
    stdout.split("\n").filter((line) => line.includes("mean rank IC")).join("\n")
  );
  expect(new Set(numbers).size).toBe(1);
  expect(numbers[0]).toContain("hold-out, 1 session ahead: mean rank IC 0.040");
  expect(await looksOf(folder)).toEqual([
    ...["look 1", "look 2", "look 3", "result 1", "result 2", "result 3"],
  ]);
  expect((await verifyStudy(folder)).problems).toEqual([]);
}, MOST_MS);

test("a run that is killed before its numbers counts, and the lock stays sound", async () => {
  const folder = await registered("killed");
  const signal = await new Promise((resolve) => {
    const child = spawn(Deno.execPath(), argumentsOf(folder, "kill"), { stdio: "ignore" });
    child.on("exit", (_, signal) => resolve(signal));
  });
  expect(signal).toBe("SIGKILL");
  expect(await looksOf(folder)).toEqual(["look 1"]);
  expect((await verifyStudy(folder)).problems).toEqual([]);
  const study = await service.open(folder);
  const result = await study.openHoldOut("main");
  expect(result.text).toContain("looked at twice.");
  expect(await looksOf(folder)).toEqual(["look 1", "look 2", "result 2"]);
}, MOST_MS);
