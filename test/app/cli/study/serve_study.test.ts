import { spawn } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { main } from "../../../../src/app/cli/main.ts";
import { startStudyService, type StudyService } from "../../../study/_study.ts";

const MAIN = join(import.meta.dirname!, "../../../../src/app/cli/main.ts");

let service: StudyService;
beforeAll(async () => {
  service = await startStudyService();
});
afterAll(() => service.close());

test("serve --study gives any client the study's service at the study's time", async () => {
  const folder = join(await service.makeFolder(), "momentum");
  const study = await service.open(folder, { asOf: "2026-11-20T12:30:00Z" });
  await study.scores("ecpnd");
  const child = spawn(Deno.execPath(), ["run", "-A", MAIN, "serve", "--study", folder]);
  try {
    let output = "";
    const [url, key] = await new Promise<[string, string]>((resolve, reject) => {
      child.on("exit", () => reject(new Error(output)));
      child.stderr.on("data", (part) => output += part);
      child.stdout.on("data", (part) => {
        output += part;
        const told = [/^listening on (\S+)$/m, /^key (\S+)$/m].map((line) =>
          line.exec(output)?.[1]
        );
        if (told[0] !== undefined && told[1] !== undefined) resolve([told[0], told[1]]);
      });
    });
    const answer = await fetch(`${url}/v1/scores`, { headers: { authorization: `Bearer ${key}` } });
    const set = await answer.json();
    expect(set.snapshot_id).toBe("3f2b7c1e-9a4d-4c8b-8f10-2d6e5a7b9c01");
    expect(set.last_checked_at).toBe("2026-11-20T12:00:00.000Z");
    expect(new Date(answer.headers.get("date")!)).toEqual(new Date("2026-11-20T12:30:00Z"));
  } finally {
    child.kill("SIGKILL");
  }
});

test("serve --study stands alone, and needs a lock", async () => {
  const errors: string[] = [];
  const terminal = { out: () => {}, error: (line: string) => errors.push(line) };
  expect(await main(["serve", "--study", "a", "--world", "small"], terminal)).toBe(2);
  expect(await main(["serve", "--study", await service.makeFolder()], terminal)).toBe(1);
  expect(errors[0]).toContain("--study");
  expect(errors[1]).toContain("expected a study.lock.json");
});
