import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runStudy } from "../../../src/app/cli/study/run_study.ts";
import { readLockFile } from "../../../src/study/lock/lock_file.ts";
import { encodeLock } from "../../../src/study/lock/lock_text.ts";
import type { StudyLock } from "../../../src/study/lock/lock.ts";
import { verifyStudy } from "../../../src/study/verify/verify_study.ts";
import { editJson, forgeCheck, type Json } from "../_tampering.ts";
import { startStudyService, type StudyService } from "../_study.ts";

const run = promisify(execFile);
let service: StudyService;
let home: string;
let folder: string;
let signers: string;
let imported: string;
let archive: string;

const study = async (...args: readonly string[]) => {
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  return { code: await runStudy(args, { out: write, error: write }), text: lines.join("\n") };
};

beforeAll(async () => {
  // Without it this file could say nothing, and has to say so.
  await run("ssh-keygen", ["-Y", "check-novalidate"]).catch(({ code }) => {
    if (code === "ENOENT") throw new Error("install ssh-keygen: apt-get install openssh-client");
  });
  service = await startStudyService();
  home = await service.makeFolder();
  folder = join(home, "momentum");
  const recorded = await service.open(folder);
  await recorded.scores("ecpnd");
  await recorded.panel("ecqdi", { at: ["2026-11-20T11:30:00Z", "2026-11-20T14:30:00Z"] });
  await recorded.publications("ecpnd", { from: "2026-11-20T08:00:00Z" });
  await recorded.history("ecqdi", { progress: false });
  await writeFile(join(folder, "prices.csv"), "date,ticker,close\n2026-11-19,BARL,10\n");
  await recorded.input("prices.csv");
  await recorded.close();
  const cell = { cell_type: "code", id: "a", source: "1 + 1", outputs: [], metadata: {} };
  await writeFile(join(folder, "a.ipynb"), JSON.stringify({ cells: [cell] }));
  await writeFile(join(folder, "deno.json"), '{"imports":{}}');
  await run("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "ann", "-f", join(home, "ann")]);
  await run("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "eve", "-f", join(home, "eve")]);
  signers = join(home, "allowed_signers");
  await writeFile(signers, `ann@example.com ${await readFile(join(home, "ann.pub"), "utf8")}`);
  expect((await study("sign", folder, "--key", join(home, "ann"))).code).toBe(0);
  archive = join(home, "momentum.zip");
  expect((await study("export", archive, folder, "--key", join(home, "ann"))).code).toBe(0);
  imported = join(home, "imported");
  expect((await study("import", archive, imported)).code).toBe(0);
});
afterAll(() => service?.close());

describe("a signed study", () => {
  test("says who signed its lock and its manifest", async () => {
    const { code, text } = await study("verify", imported, "--signers", signers);
    expect(code).toBe(0);
    expect(text).toMatch(
      /^study\.lock\.json: signed by ann@example\.com with the ED25519 key SHA256:\S+$/m,
    );
    expect(text).toMatch(
      /^manifest-sha256\.txt: signed by ann@example\.com with the ED25519 key SHA256:\S+$/m,
    );
    const unknown = await study("verify", imported);
    expect(unknown.text).toMatch(
      /signed with the ED25519 key SHA256:\S+; verify --signers FILE identifies the signer/,
    );
  });

  const expectSigned = async (path: string) => {
    const asked = ["-f", signers, "-I", "ann@example.com", "-n", "scoreframe-study"];
    const verified = run("ssh-keygen", ["-Y", "verify", ...asked, "-s", `${path}.sig`]);
    verified.child.stdin!.end(await readFile(path));
    expect((await verified).stdout).toContain(
      'Good "scoreframe-study" signature for ann@example.com',
    );
  };

  test("is what stock ssh-keygen verifies", async () => {
    for (const name of ["study.lock.json", "manifest-sha256.txt"]) {
      await expectSigned(join(imported, name));
    }
  });

  test("can have the report of its verification signed, which names the lock", async () => {
    const path = join(home, "report.json");
    await study("verify", imported, "--report", path, "--key", join(home, "ann"));
    await expectSigned(path);
    const report = JSON.parse(await readFile(path, "utf8"));
    const { stdout } = await run("sha256sum", [join(imported, "study.lock.json")]);
    expect(report.lock_sha256).toBe(stdout.slice(0, 64));
    expect(report.problems).toEqual([]);
    const refused = await study("verify", imported, "--key", join(home, "ann"));
    expect(refused).toMatchObject({ code: 2, text: expect.stringContaining("--report FILE") });
  });

  test("keeps its signature when it was exported without data and restored", async () => {
    const bare = join(home, "bare.zip");
    await study("export", bare, folder, "--without-data");
    await study("import", bare, join(home, "bare"));
    const lines: string[] = [];
    const write = (line: string) => void lines.push(line);
    const { fetch, clock } = service;
    const code = await runStudy(["restore", join(home, "bare"), "--yes"], {
      out: write,
      error: write,
    }, {
      connection: { apiKey: "svc_test_client0123456789", fetch, now: () => clock.ms },
      confirm: () => true,
    });
    expect(code, lines.join("\n")).toBe(0);
    expect((await study("verify", join(home, "bare"), "--signers", signers)).text).toContain(
      "signed by ann@example.com",
    );
  });

  test("is not that of somebody else, nor one without a signature", async () => {
    const other = join(home, "other");
    await cp(folder, other, { recursive: true });
    await study("sign", other, "--key", join(home, "eve"));
    const foreign = await study("verify", other, "--signers", signers);
    expect([foreign.code, foreign.text]).toEqual([
      1,
      expect.stringContaining("got one by another key"),
    ]);
    await rm(join(other, "study.lock.json.sig"));
    const none = await study("verify", other, "--signers", signers);
    expect([none.code, none.text]).toEqual([
      1,
      expect.stringContaining("expected a signature, got none"),
    ]);
  });
});

describe("of the signatures of an archive", () => {
  test("a lost one is a problem, though the manifest was made anew, and what it covered is named", async () => {
    const place = join(home, "lost");
    await cp(imported, place, { recursive: true });
    await rm(join(place, "manifest-sha256.txt.sig"));
    await writeFile(join(place, "a.ipynb"), JSON.stringify({ cells: [] }));
    await remake(place);
    const { code, text } = await study("verify", place, "--signers", signers);
    expect(code).toBe(1);
    expect(text).toMatch(/^manifest-sha256\.txt: expected a signature, got none$/m);
    expect(text).toMatch(/^a\.ipynb: under no signature/m);
    expect(text).not.toMatch(/^(prices\.csv|store.*|study\.lock\.json): under no signature/m);
  });

  test("what was added is named, and nothing that they cover", async () => {
    const place = join(home, "added");
    await cp(imported, place, { recursive: true });
    await writeFile(join(place, "added.ts"), "1");
    const { code, text } = await study("verify", place, "--signers", signers);
    expect([code, text.match(/.*under no signature/g)]).toEqual([0, [
      "added.ts: under no signature",
    ]]);
  });

  test.each([
    ['valid-before="20200101"', /key has expired.*extend its line/],
    ['namespaces="git"', /got one for other namespaces; add scoreframe-study/],
  ])("a signer's line with %s is told apart from another key", async (options, says) => {
    const other = join(home, "other_signers");
    await writeFile(
      other,
      `ann@example.com ${options} ${await readFile(join(home, "ann.pub"), "utf8")}`,
    );
    const { code, text } = await study("verify", imported, "--signers", other);
    expect([code, text]).toEqual([1, expect.stringMatching(says)]);
  });
});

const lockOf = async () => (await readLockFile(imported))!.lock;

// Whoever tampers knows the format: the lock is sealed again, and every checksum is made anew.
const relock = (edit: (lock: StudyLock) => StudyLock) => async (place: string) => {
  await writeFile(join(place, "study.lock.json"), encodeLock(edit(await lockOf())));
  await remake(place);
};

async function remake(place: string): Promise<void> {
  const path = join(place, "manifest-sha256.txt");
  const lines = (await readFile(path, "utf8")).trimEnd().split("\n").map((line) => line.slice(66));
  const hashes = await Promise.all(lines.map(async (name) => {
    const bytes = await readFile(join(place, name)).catch(() => null);
    return bytes && `${createHash("sha256").update(bytes).digest("hex")}  ${name}\n`;
  }));
  await writeFile(path, hashes.filter((line) => line !== null).join(""));
}

const edited = (path: string, from: string | RegExp, to: string) => async (place: string) => {
  const text = await readFile(join(place, path), "utf8");
  expect(text).toMatch(from);
  await writeFile(join(place, path), text.replace(from, to));
};

const ofFirst =
  (folder: string, change: (path: string) => Promise<void>) => async (place: string) => {
    const names = (await readdir(join(place, folder))).filter((name) => !name.startsWith("."))
      .sort();
    await change(join(place, folder, names[0]!));
  };

const forged = (edit: (check: Json, file: Json) => void) => async (place: string) => {
  await forgeCheck(join(place, "store", "ecpnd"), /^2026-11-20T15/, edit);
  await remake(place);
};

const release = (edit: (release: Json, file: Json) => void) =>
  ofFirst(
    "store/ecqdi/releases",
    (path) => editJson(join(path, "release.json"), (file) => edit(file.release as Json, file)),
  );

const TAMPERINGS: readonly (readonly [string, (place: string) => Promise<void>])[] = [
  ["the time, sealed again", relock((lock) => ({ ...lock, asOf: "2026-11-20T16:00:05.000Z" }))],
  ["the service, sealed again", relock((lock) => ({ ...lock, service: "https://x.example" }))],
  ["the mark synthetic, sealed again", relock((lock) => ({ ...lock, synthetic: null }))],
  ["the world, sealed again", relock((lock) => ({ ...lock, world: { name: "real" } }))],
  [
    "a view that is gone, sealed again",
    relock((lock) => ({ ...lock, views: lock.views.slice(1) })),
  ],
  ["a set that is gone, sealed again", relock((lock) => ({ ...lock, sets: lock.sets.slice(1) }))],
  ["an absence that is gone, sealed again", relock((lock) => ({ ...lock, absences: [] }))],
  ["a release that is gone, sealed again", relock((lock) => ({ ...lock, releases: [] }))],
  ["an input that is gone, sealed again", relock((lock) => ({ ...lock, inputs: [] }))],
  ["a pattern to ignore", relock((lock) => ({ ...lock, ignore: [".*"] }))],
  [
    "the versions",
    relock((lock) => ({ ...lock, environment: { ...lock.environment, polars: "9" } })),
  ],
  [
    "the numbers of a set, sealed again",
    relock((lock) => ({
      ...lock,
      sets: lock.sets.map((set) => ({ ...set, numbers: "0".repeat(64) })),
    })),
  ],
  [
    "receipts taken away, sealed again",
    relock((lock) => ({ ...lock, views: lock.views.map((view) => ({ ...view, receipt: null })) })),
  ],
  ["format 1", edited("study.lock.json", '"format": 2', '"format": 1')],
  ["a line of the lock", edited("study.lock.json", '"scored":7', '"scored":6')],
  ["prices_through", forged((check) => void (check.prices_through = "2026-11-18"))],
  ["the coverage", forged((check) => void ((check.coverage as Json).failed_calls = 5))],
  ["the universe", forged((check) => void (check.universe = "All"))],
  ["the mark of a check", forged((check) => void delete check.synthetic)],
  ["the status", forged((check) => void (check.status = "call_source_delayed"))],
  ["data_through", forged((check) => void (check.data_through = "2026-11-20T14:00:00.000Z"))],
  ["retrieved_at", forged((_, file) => void (file.retrieved_at = "2026-11-20T23:00:00.000Z"))],
  [
    "a score",
    ofFirst("store/ecpnd/sets", async (path) => {
      const text = (await readFile(path, "utf8")).replace(/:0\.\d+\}/, ":0.123}").replace(
        /,"sha256".*/s,
        "",
      );
      const hash = createHash("sha256").update(text).digest("hex");
      await writeFile(path, `${text},"sha256":"${hash}"}\n`);
    }),
  ],
  ["a set that is gone", ofFirst("store/ecpnd/sets", (path) => rm(path))],
  ["a check that is gone", ofFirst("store/ecpnd/checks", (path) => rm(path))],
  ["the availability of a release", release((said) => void (said.availability = "same close"))],
  ["the universe of a release", release((said) => void (said.universe = "All"))],
  [
    "the time of a release",
    release((_, file) => void (file.available_from = "2026-11-20T23:00:00.000Z")),
  ],
  [
    "the file of a release",
    ofFirst("store/ecqdi/releases", async (path) => {
      const file = join(path, "history.csv.gz");
      const bytes = await readFile(file);
      await writeFile(file, bytes.with(20, bytes[20]! ^ 1));
    }),
  ],
  ["an input", edited("prices.csv", "10", "11")],
  ["an input that is gone", (place) => rm(join(place, "prices.csv"))],
  ["a notebook", edited("a.ipynb", "1 + 1", "1 + 2")],
  ["a notebook, with its checksum", async (place) => {
    await edited("a.ipynb", "1 + 1", "1 + 2")(place);
    await remake(place);
  }],
  ["a notebook that is gone", (place) => rm(join(place, "a.ipynb"))],
  ["the pins of the project", edited("deno.json", "{}", '{"scoreframe":"./evil.ts"}')],
  ["the words of the crate", edited("ro-crate-metadata.json", "momentum", "value")],
  ["the store's own file", edited("store/store.json", '"recording"', '"world"')],
  [
    "the signature of the lock",
    edited("study.lock.json.sig", /[A-Za-z0-9+/]{10}(?=\n-----END)/, "AAAAAAAAAA"),
  ],
  ["the signature of the lock, gone", (place) => rm(join(place, "study.lock.json.sig"))],
  ["the manifest", edited("manifest-sha256.txt", /^[0-9a-f]{8}/, "00000000")],
];

describe("after it was signed, each tampering is named", () => {
  test.each(TAMPERINGS)("%s", async (_, tamper) => {
    const place = join(home, crypto.randomUUID());
    await cp(imported, place, { recursive: true });
    await tamper(place);
    const said = await verifyStudy(place, () => {}, { signers }).then(
      ({ problems }) => problems.map(({ path, says }) => `${path}: ${says}`).join("\n"),
      (error) => error.message,
    );
    expect(said).not.toBe("");
    await rm(place, { recursive: true });
  });

  test("there are at least thirty", () => {
    expect(TAMPERINGS.length).toBeGreaterThanOrEqual(30);
  });
});
