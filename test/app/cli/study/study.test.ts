import { execFile } from "node:child_process";
import { cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runStudy } from "../../../../src/app/cli/study/run_study.ts";
import { KEY } from "../../../client/_service.ts";
import { putFixtureRelease } from "../../../helpers/fixture_store.ts";
import { startStudyService, type StudyService } from "../../../study/_study.ts";

const run = promisify(execFile);
let service: StudyService;
let folder: string;

beforeEach(async () => {
  service = await startStudyService();
  folder = join(await service.makeFolder(), "momentum");
});
afterEach(() => service.close());

async function study(args: readonly string[], answer = false) {
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  const { fetch, clock } = service;
  const code = await runStudy(args, { out: write, error: write }, {
    connection: { apiKey: KEY, fetch, now: () => clock.ms, environment: {} },
    confirm: () => answer,
  });
  return { code, text: lines.join("\n") };
}

async function record(): Promise<void> {
  const opened = await service.open(folder);
  await opened.scores("ecpnd");
  await opened.panel("ecqdi", { at: ["2026-11-20T11:30:00Z", "2026-11-20T14:30:00Z"] });
  await opened.publications("ecpnd", { from: "2026-11-20T08:00:00Z" });
  await opened.history("ecpnd");
  await opened.close();
}

const PROVED =
  "Lock, store and inputs agree, in an import with the manifest too. This does not prove authorship: anyone who can write all of them can make them agree. A signature (study sign, verify --signers) identifies the author of the lock";
const lockPath = () => join(folder, "study.lock.json");
const lockText = () => readFile(lockPath(), "utf8");

async function change(path: string, from: string | RegExp, to: string): Promise<void> {
  const text = await readFile(path, "utf8");
  expect(text).toMatch(from);
  await writeFile(path, text.replace(from, to));
}

describe("study", () => {
  test("has a page of help with an example for each command, and refuses any other", async () => {
    const { code, text } = await study([]);
    expect(code).toBe(0);
    const names = [...text.matchAll(/^ {2}(\w+) {2}/gm)].map(([, name]) => name!);
    expect(names).toContain("verify");
    for (const name of names) {
      const help = await study([name, "--help"]);
      expect(help.code).toBe(0);
      expect(help.text).toMatch(new RegExp(`^usage: deno task scoreframe study ${name}`));
      expect(help.text).toMatch(new RegExp(`\n  deno task scoreframe study ${name} `));
      expect(help.text).toContain("--json");
    }
    expect((await study(["verfy"])).code).toBe(2);
    expect((await study(["list", "--jsn"])).text).toContain("did you mean --json?");
  });

  test("answers a wrong command line with what it expects, and exits with 2", async () => {
    await record();
    const refused = async (...args: string[]) => {
      const { code, text } = await study(args);
      expect(code, text).toBe(2);
      return text;
    };
    expect(await refused("export")).toContain("study export FILE [STUDY]");
    expect(await refused("import", "a.zip")).toContain("study import FILE FOLDER");
    expect(await refused("compare", folder)).toContain("study compare A B");
    expect(await refused("compare", "a", "b", "c")).toContain('at most, got "c" beside a and b');
    expect(await refused("list", folder, "other")).toContain('expected 1 at most, got "other"');
    expect(await refused("verify", folder, "-p", "a=1")).toContain(
      "expected --run, which executes the notebooks, got none",
    );
    expect(await refused("verify", folder, "--run", "-p", "a")).toContain("expected name=value");
    expect(await refused("update", folder, "--as-of", "yesterday")).toContain("expected RFC 3339");
  });

  test("names the folder that has no lock", async () => {
    await expect(study(["list", folder])).rejects.toThrow(`Cannot find the study ${folder}`);
  });
});

describe("study list", () => {
  test("lists what a study stands on", async () => {
    await record();
    const { code, text } = await study(["list", folder]);
    expect(code).toBe(0);
    expect(text).toContain(
      "Study of 2026-11-20T15:00:05.000Z, http://embedded.localhost, synthetic",
    );
    expect(text).toMatch(/ecpnd 3f2b7c1e\S+02 +2026-11-20T13:00:00.000Z +8 +7 +1 /);
    expect(text).toMatch(/ecpnd release \w{12}… through 2026-08-14, 4 rows/);
    const listing = JSON.parse((await study(["list", folder, "--json"])).text);
    expect(listing.sets.length).toBe(4);
    expect(listing.missing).toEqual([]);
  });

  test("lists registered tests, with their hold-outs and looks", async () => {
    await record();
    const recorded = await service.open(folder);
    await recorded.register({
      question: "Does it rank?",
      factor: "ecpnd",
      horizons: 5,
      holdOut: { from: "2026-11-19" },
    });
    const { text } = await study(["list", folder]);
    expect(text).toMatch(
      /^ {2}registered main on 2026-11-20 \([0-9a-f]{12}…\): hold-out from 2026-11-19, 1 session, not looked at$/m,
    );
    expect(JSON.parse((await study(["list", folder, "--json"])).text).registered).toHaveLength(1);
  });
});

describe("study verify", () => {
  test("finds a study sound, and says so without a word", async () => {
    await record();
    expect(await study(["verify", folder])).toEqual({
      code: 0,
      text: `4 sets, 4 views, 1 release: sound\n${PROVED}`,
    });
  });

  test("finds one score that changed in the store, also with a hash that fits it", async () => {
    await record();
    const set = join(folder, "store/ecpnd/sets/3f2b7c1e-9a4d-4c8b-8f10-2d6e5a7b9c02.json");
    const whole = await readFile(set, "utf8");
    await change(set, "0.875", "0.876");
    const { code, text } = await study(["verify", folder]);
    expect(code).toBe(1);
    expect(text).toContain("store/ecpnd/sets/3f2b7c1e-9a4d-4c8b-8f10-2d6e5a7b9c02.json: ");
    const forged = whole.replace("0.875", "0.876");
    const content = forged.slice(0, forged.lastIndexOf(',"sha256"'));
    const { createHash } = await import("node:crypto");
    const sha256 = createHash("sha256").update(content).digest("hex");
    await writeFile(set, `${content},"sha256":"${sha256}"}\n`);
    const other = await study(["verify", folder]);
    expect(other.code).toBe(1);
    expect(other.text).toMatch(
      /study\.lock\.json: expected \{"factor":"ecpnd","calculated_at":"2026-11-20T13.*\}, got .* from the store/,
    );
  });

  test("finds each line of the lock that changed, and names it", async () => {
    await record();
    const text = await lockText();
    const lines = text.split("\n");
    const changed: Record<string, (line: string) => string> = {
      '"as_of"': (line) => line.replace("15:00:05", "15:00:06"),
      '"service"': (line) => line.replace("embedded", "other"),
      '"synthetic"': (line) => line.replace("true", "false"),
      '"seal"': (line) => line.replace(/"(\w{3})/g, '"$1'.replace("$1", "fff")),
      '"numbers"': (line) => line.replace(/"numbers":"\w{8}/, '"numbers":"00000000'),
      '"tickers"': (line) => line.replace(/"tickers":\d+/, '"tickers":9'),
      '"universe"': (line) => line.replace("research", "other"),
      '"status"': (line) => line.replace(/"status":"\w+"/, '"status":"stale"'),
      '"data_through"': (line) => line.replace(/"data_through":"2026/, '"data_through":"2025'),
      '"default"': (line) => line.replace(/"rows":4/, '"rows":5'),
      '"at":': (line) => line.replace(/"at":"2026-11-20T1/, '"at":"2026-11-20T0'),
    };
    for (const [mark, edit] of Object.entries(changed)) {
      const i = lines.findIndex((line) => line.includes(mark));
      const edited = edit(lines[i]!);
      expect(edited, mark).not.toBe(lines[i]);
      await writeFile(lockPath(), lines.with(i, edited).join("\n"));
      const { code, text: said } = await study(["verify", folder]);
      expect(code, mark).toBe(1);
      expect(said, mark).toContain("study.lock.json: ");
    }
  });

  test("names a missing file, and says that another Polars is harmless", async () => {
    await record();
    await rm(join(folder, "store/ecqdi/sets/7d1e0b52-6c3f-4e2a-9b77-51c0a2f4e801.json"));
    const [digest] = await readdir(join(folder, "store/ecpnd/releases"));
    await rm(join(folder, "store/ecpnd/releases", digest!), { recursive: true });
    await change(lockPath(), /"polars": "[\d.]+"/, '"polars": "0.1.0"');
    const { code, text } = await study(["verify", folder]);
    expect(code).toBe(1);
    expect(text).toContain("store/ecqdi/sets/7d1e0b52-6c3f-4e2a-9b77-51c0a2f4e801.json: ");
    expect(text).toContain(`releases/${digest}/history.csv.gz: `);
    expect(text).toMatch(/polars 0\.1\.0, .* 0\.25\.2 \(harmless/);
  });

  test("finds the same in another time zone and another locale", async () => {
    await record();
    const env = { ...process.env, TZ: "Australia/Sydney", LC_ALL: "tr_TR.UTF-8", NO_COLOR: "1" };
    const main = join(import.meta.dirname!, "../../../../src/app/cli/main.ts");
    const { stdout } = await run(Deno.execPath(), ["run", "-A", main, "study", "verify", folder], {
      env,
    });
    expect(stdout.trim()).toBe(`4 sets, 4 views, 1 release: sound\n${PROVED}`);
  });
});

describe("study compare", () => {
  test("shows each fact that differs, between folders and archives", async () => {
    await (await service.open(folder)).scores("ecpnd");
    const copy = `${folder}-copy`;
    await cp(folder, copy, { recursive: true });
    expect(await study(["compare", folder, copy])).toEqual({ code: 0, text: "" });
    const cell = { cell_type: "code", source: "Math.random()", outputs: [], metadata: {} };
    const tagged = { ...cell, metadata: { tags: ["volatile"] } };
    await writeFile(join(folder, "a.ipynb"), JSON.stringify({ cells: [cell] }));
    await writeFile(join(copy, "a.ipynb"), JSON.stringify({ cells: [tagged] }));
    await change(join(copy, "study.lock.json"), '"ignore": []', '"ignore": [".*"]');
    expect(await study(["compare", folder, copy])).toEqual({
      code: 1,
      text: '+ ignore ".*"\n+ tags a.ipynb, cell 1 (Math.random()): volatile',
    });
    await change(join(copy, "study.lock.json"), '"ignore": [".*"]', '"ignore": []');
    await rm(join(folder, "a.ipynb"));
    await rm(join(copy, "a.ipynb"));
    await (await service.open(folder)).scores("ecqdi");
    const between = await study(["compare", copy, folder]);
    expect(between.code).toBe(1);
    expect(between.text.split("\n").map((line) => line.slice(0, 24))).toEqual([
      '+ sets {"factor":"ecqdi"',
      '+ views {"factor":"ecqdi',
    ]);
    await study(["export", `${copy}.zip`, copy]);
    expect((await study(["compare", `${copy}.zip`, folder])).text).toBe(between.text);
    await expect(study(["compare", "no-such", folder])).rejects.toThrow("no-such");
  });
});

describe("study update", () => {
  test("shows what would change at the level of scores, and changes nothing without a yes", async () => {
    service.clock.ms = Date.parse("2026-11-20T12:30:00Z");
    const opened = await service.open(folder);
    await opened.scores("ecpnd");
    await opened.history("ecpnd");
    service.clock.ms = Date.parse("2026-11-20T15:00:05Z");
    await putFixtureRelease(service.fixture.store, {
      factor: "ecpnd",
      rows: ["2026-08-13,A,0.5", "2026-08-13,NA,", "2026-08-14,A,0.75"],
      availableFrom: "2026-11-20T14:00:00.000Z",
    });
    const before = await lockText();
    const shown = await study(["update", folder]);
    expect(shown.code).toBe(1);
    expect(shown.text).toContain("From 2026-11-20T12:30:00.000Z to 2026-11-20T15:00:05.000Z");
    expect(shown.text).toMatch(/ecpnd set \S+c01 → \S+c02:/);
    expect(shown.text).toMatch(/ecpnd release \w+ → \w+:/);
    expect(shown.text).toContain("null_to_value");
    expect(await lockText()).toBe(before);
    expect((await study(["update", folder, "--yes"])).code).toBe(0);
    const frozen = await service.openFrozen(folder);
    expect(frozen.asOf).toBe("2026-11-20T15:00:05.000Z");
    expect((await frozen.history("ecpnd")).height).toBe(3);
    expect((await frozen.scores("ecpnd")).getColumn("snapshot_id").toArray()[0]).toMatch(/c02$/);
    expect(frozen.lock!.sets.length).toBe(1);
    expect((await study(["verify", folder])).code).toBe(0);
    await expect(study(["update", folder, "--as-of", "2026-11-20T15:00:05Z"]))
      .rejects.toThrow("2026-11-20T15:00:05.000Z");
  });
});

describe("study gc", () => {
  test("removes what the lock does not name, and nothing that it needs", async () => {
    await record();
    const api = await service.connect({ store: join(folder, "store") });
    await api.scores("ecqdi", { at: "2026-11-20T15:00:00Z" });
    await api.history("ecqdi");
    await api.close();
    const garbage = await study(["gc", folder, "--json"]);
    const { garbage: listed, removed } = JSON.parse(garbage.text);
    expect(removed).toBe(false);
    expect(listed.map(({ path }: { path: string }) => path.slice(0, 15))).toEqual([
      "ecqdi/releases/",
    ]);
    expect((await study(["gc", folder, "--yes"])).text).toMatch(/removed$/);
    expect((await study(["gc", folder])).text).toBe(
      "0 files and folders (0 B) can be removed with --yes",
    );
    expect((await study(["verify", folder])).code).toBe(0);
  });
});

describe("study restore", () => {
  test("tells the cost, loads the whole store again, and compares each number", async () => {
    await record();
    await rm(join(folder, "store"), { recursive: true });
    expect((await study(["verify", folder])).text).toContain("study restore");
    const asked = await study(["restore", folder]);
    expect(asked.code).toBe(1);
    expect(asked.text).toMatch(/Cost of a panel of ecpnd at 2 instants/);
    expect(asked.text).toMatch(/downloads +at most 2/);
    expect(asked.text).toContain("Nothing was loaded");
    const done = await study(["restore", folder, "--yes"]);
    expect(done.text).toContain("Restored: every number agrees with the lock");
    expect(await study(["verify", folder])).toEqual({
      code: 0,
      text: `4 sets, 4 views, 1 release: sound\n${PROVED}`,
    });
    const frozen = await service.openFrozen(folder);
    await frozen.publications("ecpnd", { from: "2026-11-20T08:00:00Z" });
  });

  test("refuses what the service gives now, if the lock says otherwise", async () => {
    await record();
    await rm(join(folder, "store"), { recursive: true });
    await change(lockPath(), /"numbers":"\w{8}/, '"numbers":"00000000');
    await expect(study(["restore", folder, "--yes"])).rejects.toThrow(
      /expected .*00000000.*, got .*f36f565e/,
    );
  });

  test("sets what differs aside, counts what is missing, and says where everything is there", async () => {
    await record();
    const [set] = (await readdir(join(folder, "store/ecpnd/sets"))).toSorted();
    const path = join(folder, "store/ecpnd/sets", set!);
    await writeFile(path, (await readFile(path)).subarray(0, 40));
    const asked = await study(["restore", folder]);
    expect(asked.text).toContain("1 set is missing");
    expect(asked.text).toContain(
      `store/ecpnd/sets/${set}: damaged or different from the lock; set aside`,
    );
    expect(asked.text).toMatch(/requests +1 to 2 |requests +1 /);
    expect((await study(["restore", folder, "--yes"])).code).toBe(0);
    expect((await study(["verify", folder])).code).toBe(0);
    const whole = await study(["restore", folder]);
    expect(whole).toEqual({
      code: 0,
      text: "The store is complete: nothing is sent\nRestored: every number agrees with the lock",
    });
    const garbage = JSON.parse((await study(["gc", folder, "--json"])).text).garbage;
    expect(garbage.map(({ path }: { path: string }) => path)).toContain(
      `ecpnd/sets/.damaged-${set}`,
    );
  });
});
