import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { verifyStudy } from "../../../src/study/verify/verify_study.ts";
import { startStudyService, type StudyService } from "../_study.ts";

let service: StudyService;
let folder: string;
let whole: string;

beforeEach(async () => {
  service = await startStudyService();
  folder = join(await service.makeFolder(), "momentum");
  const study = await service.open(folder);
  await study.scores("ecpnd");
  await study.panel("ecqdi", { at: ["2026-11-20T11:30:00Z", "2026-11-20T14:30:00Z"] });
  await study.panel("ecqdi", { at: ["2026-11-20T11:40:00Z"] });
  await study.publications("ecpnd", { from: "2026-11-20T08:00:00Z" });
  await study.history("ecpnd");
  await writeFile(join(folder, "prices.csv"), "date,ticker,close\n2026-11-19,BARL,10\n");
  await study.input("prices.csv");
  await study.close();
  whole = await readFile(lockPath(), "utf8");
});
afterEach(() => service.close());

const lockPath = () => join(folder, "study.lock.json");

/** What a verification says of a study whose lock has this text. */
async function saidOf(text: string): Promise<string> {
  await writeFile(lockPath(), text);
  return await verifyStudy(folder).then(
    ({ problems }) => problems.map(({ path, says }) => `${path}: ${says}`).join("\n"),
    (error) => error.message,
  );
}

/** The places of lines that say something, and not only where a list ends. */
const facts = () =>
  whole.split("\n").flatMap((line, i) => /[\w"]/.test(line) && !/[[{]$/.test(line) ? [i] : []);

const withCommas = (lines: readonly string[]) =>
  lines.join("\n").replaceAll(/([}\]"\d])(\n *["{])/g, "$1,$2").replaceAll(/,(\n[}\]])/g, "$1");

describe("the verification of a lock", () => {
  test("finds each line that was removed, whatever it says", async () => {
    const lines = whole.split("\n");
    expect(facts().length).toBeGreaterThan(20);
    for (const i of facts()) {
      const said = await saidOf(withCommas(lines.toSpliced(i, 1)));
      expect(said, lines[i]!).toContain("study.lock.json");
    }
    expect(await saidOf(whole)).toBe("");
  });

  test("finds each line that stands in it twice", async () => {
    const lines = whole.split("\n");
    for (const i of facts()) {
      const said = await saidOf(withCommas(lines.toSpliced(i, 0, lines[i]!)));
      expect(said, lines[i]!).toMatch(/study\.lock\.json: .*(does not repeat|repeated name)/);
    }
  });

  test("finds each value that was changed, but for the versions, which are harmless", async () => {
    const lines = whole.split("\n");
    for (const i of facts()) {
      const line = lines[i]!;
      if (/^ "(scoreframe|runtime|polars)"|^"ignore"/.test(line)) continue;
      const values = [...line.matchAll(/(?<=:)\s*("[^"]+"|\d+|true|false)/g)];
      expect(values.length, line).toBeGreaterThan(0);
      for (const { 0: value, index } of values) {
        const last = value.trimEnd().at(value.endsWith('"') ? -2 : -1)!;
        const changed = value === "true"
          ? "false"
          : value === "false"
          ? "true"
          : value.endsWith('"')
          ? `${value.slice(0, -2)}${last === "1" ? "2" : "1"}"`
          : `${value}1`;
        const edited = line.slice(0, index) + changed + line.slice(index + value.length);
        const said = await saidOf(lines.with(i, edited).join("\n"));
        expect(said, edited).toContain("study.lock.json");
      }
    }
  });

  test("names a view that was removed, where the store was asked for it", async () => {
    const removed = (mark: RegExp) => {
      expect(whole).toMatch(mark);
      return saidOf(withCommas(whole.split("\n").filter((line) => !mark.test(line))));
    };
    expect(await removed(/"at":"2026-11-20T11:30:00.000Z"/)).toMatch(
      /expected the 5 lines of the list views as they were written, got 4 lines: a line was removed.*ecqdi at 2026-11-20T11:30:00\.000Z/,
    );
    // A panel found it proved, and never asked.
    expect(await removed(/"at":"2026-11-20T11:40:00.000Z"/)).toContain("got 4 lines: a line was");
    expect(await removed(/"at":"2026-11-20T09:59:59.999Z"/)).toContain("the list absences");
  });

  test("finds a line that was added, also a true one", async () => {
    const line = /^ \{.*"at":"2026-11-20T11:30:00.000Z".*$/m.exec(whole)![0];
    const other = line.replace("11:30", "11:31");
    expect(
      await saidOf(withCommas(
        whole.split("\n").toSpliced(whole.split("\n").indexOf(line), 0, other),
      )),
    ).toContain("6 lines: a line was");
  });

  test("takes spaces, another order of lines and other line ends for harmless", async () => {
    const spaced = whole.replaceAll('":"', '" : "').replaceAll(":true", ":  true");
    const lines = whole.split("\n");
    const first = lines.findIndex((line) => line.startsWith(' {"factor"'));
    const swapped = lines.with(first, lines[first + 1]!).with(first + 1, lines[first]!).join("\n");
    for (const text of [spaced, swapped]) {
      expect(text).not.toBe(whole);
      expect(await saidOf(text)).toBe("");
      const { notes } = await verifyStudy(folder);
      expect(notes.map(({ says }) => says)).toEqual([
        "the text is not in its normal form, which changes no fact (harmless)",
      ]);
    }
    expect(await saidOf(whole.replaceAll("\n", "\r\n"))).toBe("");
    expect((await verifyStudy(folder)).notes).toEqual([]);
    expect(await saidOf(`\uFEFF${whole}`)).toBe("");
  });
});

describe("a lock that was edited by hand", () => {
  test("is not sealed by the next load, which could hide it for ever", async () => {
    const text = withCommas(whole.split("\n").filter((line) => !line.includes("T11:40:00.000Z")));
    await writeFile(lockPath(), text);
    const study = await service.open(folder);
    await study.scores("ecpnd");
    await expect(study.scores("ecqdi")).rejects.toThrow(
      /^Cannot change .*5 lines .*got 4 lines.*study restore/,
    );
    expect(await readFile(lockPath(), "utf8")).toBe(text);
  });
});
