import { Buffer } from "node:buffer";
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import fc from "fast-check";
import { type Zippable, zipSync } from "fflate";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { exportStudy } from "../../../src/study/share/export_study.ts";
import { importStudy } from "../../../src/study/share/import_study.ts";
import {
  type ArchiveBytes,
  readZipDirectory,
  readZipEntry,
  type ZipEntry,
} from "../../../src/base/read_zip.ts";
import { verifyStudy } from "../../../src/study/verify/verify_study.ts";
import { startStudyService, type StudyService } from "../_study.ts";

const run = promisify(execFile);
const WITH_DATA = { withoutData: false, name: "momentum" };
let service: StudyService;
let folder: string;

beforeEach(async () => {
  service = await startStudyService();
  folder = join(await service.makeFolder(), "momentum");
  const study = await service.open(folder);
  await study.scores("ecpnd");
  await study.publications("ecpnd", { from: "2026-11-20T08:00:00Z" });
  await study.history("ecqdi");
  await mkdir(join(folder, "notebooks"));
  await writeFile(join(folder, "notebooks/a.ipynb"), '{"cells":[]}');
  await writeFile(join(folder, "deno.json"), "{}");
});
afterEach(() => service.close());

/** Exports, and gives the archive with its path. */
async function exported(options = WITH_DATA, from = folder): Promise<[string, Buffer]> {
  const path = join(dirname(folder), `${crypto.randomUUID()}.zip`);
  await exportStudy(from, path, options);
  return [path, await readFile(path)];
}

const bytesOf = (archive: Buffer): ArchiveBytes => ({
  sizeBytes: archive.length,
  read: (start, count) => Promise.resolve(archive.subarray(start, start + count)),
});

const directoryOf = (archive: Buffer) => readZipDirectory(bytesOf(archive));

const contentOf = async (archive: Buffer, entry: ZipEntry) =>
  Buffer.concat(await Array.fromAsync(readZipEntry(bytesOf(archive), entry)));

/** The entries of an archive, to build another one of. */
async function entriesOf(archive: Buffer): Promise<Record<string, Uint8Array>> {
  const files: Record<string, Uint8Array> = {};
  for (const entry of await directoryOf(archive)) {
    files[entry.name] = await contentOf(archive, entry);
  }
  return files;
}

async function importOf(archive: Uint8Array): Promise<string> {
  const path = join(dirname(folder), `${crypto.randomUUID()}.zip`);
  await writeFile(path, archive);
  const target = `${path}-imported`;
  try {
    await importStudy(path, target);
    return "imported";
  } catch (error) {
    // Nothing is left of a refused archive.
    const left = (await readdir(dirname(folder))).filter((name) => name.includes("-imported"));
    expect(left).toEqual([]);
    return (error as Error).message;
  }
}

describe("an exported study", () => {
  test("gives the same numbers in another folder, offline", async () => {
    const [path] = await exported();
    const target = join(dirname(folder), "elsewhere");
    const { files, hasData } = await importStudy(path, target);
    expect(hasData).toBe(true);
    expect(files).toEqual(expect.arrayContaining([
      "deno.json",
      "manifest-sha256.txt",
      "notebooks/a.ipynb",
      "ro-crate-metadata.json",
      "study.lock.json",
    ]));
    expect((await verifyStudy(target)).problems).toEqual([]);
    const study = await service.openFrozen(target);
    expect((await study.scores("ecpnd")).height).toBe(8);
    expect((await study.publications("ecpnd", { from: "2026-11-20T08:00:00Z" })).height).toBe(2);
    expect((await study.history("ecqdi")).height).toBe(3);
  });

  test("is verified file by file where it was imported", async () => {
    const [path] = await exported();
    const target = join(dirname(folder), "elsewhere");
    const notes = async (change: (path: (name: string) => string) => Promise<void>) => {
      await rm(target, { recursive: true, force: true });
      await importStudy(path, target);
      await change((name) => join(target, name));
      const { problems, notes } = await verifyStudy(target);
      return [...problems, ...notes].map(({ path, says }) => `${path}: ${says}`).join("\n");
    };
    expect(await notes(() => Promise.resolve())).toBe("");
    const edited = "edited since the study was exported: no number of the lock depends on it";
    const other = JSON.stringify({ cells: [], metadata: {} });
    expect(await notes((at) => writeFile(at("notebooks/a.ipynb"), other))).toBe(
      `notebooks/a.ipynb: ${edited}`,
    );
    const removed = "removed since the study was exported, harmless: no number of the lock";
    for (const name of ["deno.json", "ro-crate-metadata.json"]) {
      expect(await notes((at) => rm(at(name)))).toContain(`${name}: ${removed}`);
    }
    expect(await notes((at) => rm(at("manifest-sha256.txt")))).toContain(
      "manifest-sha256.txt: removed since",
    );
    // As git hands it out on another system.
    const texts = ["manifest-sha256.txt", "notebooks/a.ipynb", "study.lock.json"];
    expect(
      await notes(async (at) => {
        for (const name of [...texts, "ro-crate-metadata.json", "store/store.json"]) {
          const text = await readFile(at(name), "utf8");
          await writeFile(at(name), text.replaceAll("\n", "\r\n"));
        }
      }),
    ).toBe("");
    expect(await notes((at) => writeFile(at("manifest-sha256.txt"), "what"))).toContain(
      "manifest-sha256.txt: edited since",
    );
    const view = "store/ecpnd/views/2026-11-20T12-59-59.999Z.json";
    expect(await notes((at) => rm(at(view)))).toMatch(/2026-11-20T12-59-59\.999Z/);
  });

  test("has equal bytes for equal content, in any time zone", async () => {
    const [, one] = await exported();
    const copy = join(dirname(folder), "copy");
    await cp(folder, copy, { recursive: true });
    const [, other] = await exported(WITH_DATA, copy);
    expect(other.equals(one)).toBe(true);
    const path = join(dirname(folder), "sydney.zip");
    const main = join(import.meta.dirname!, "../../../src/app/cli/main.ts");
    const args = ["run", "-A", main, "study", "export", path, folder, "--name", "momentum"];
    await run(Deno.execPath(), args, { env: { ...Deno.env.toObject(), TZ: "Australia/Sydney" } });
    expect((await readFile(path)).equals(one)).toBe(true);
  });

  test("is read by another unzip, and its checksums by sha256sum", async () => {
    const [path] = await exported();
    const target = join(dirname(folder), "python");
    await run("python3", ["-m", "zipfile", "-e", path, target]);
    const { stdout } = await run("sha256sum", ["-c", "manifest-sha256.txt"], { cwd: target });
    expect(stdout).toMatch(/study\.lock\.json: OK/);
    const crate = JSON.parse(await readFile(join(target, "ro-crate-metadata.json"), "utf8"));
    const root = crate["@graph"].find((entity: { "@id": string }) => entity["@id"] === "./");
    expect(root.name).toBe("momentum");
    expect(root.datePublished).toBe("2026-11-20");
    expect(root.description).toContain("as of 2026-11-20T15:00:05.000Z");
    expect(root).not.toHaveProperty("license");
    expect(root).not.toHaveProperty("author");
    const names = (await readdir(target, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile() && !/^(manifest|ro-crate)/.test(entry.name));
    expect(root.hasPart.length).toBe(names.length);
  });

  test("leaves the store out where its data are licensed", async () => {
    const author = { license: "https://spdx.org/licenses/CC-BY-4.0", creator: "A. Researcher" };
    const [path, archive] = await exported({ ...WITH_DATA, withoutData: true, ...author });
    const names = (await directoryOf(archive)).map(({ name }) => name);
    expect(names.filter((name) => name.startsWith("store/"))).toEqual([]);
    expect(names).toContain("study.lock.json");
    const target = join(dirname(folder), "without");
    expect((await importStudy(path, target)).hasData).toBe(false);
    const crate = await readFile(join(target, "ro-crate-metadata.json"), "utf8");
    expect(crate).toContain("https://spdx.org/licenses/CC-BY-4.0");
    expect(crate).toContain("A. Researcher");
  });

  test("is refused where its lock was edited by hand", async () => {
    const lock = join(folder, "study.lock.json");
    const text = await readFile(lock, "utf8");
    await writeFile(lock, text.replace(/"as_of": "2026-11-20T15/, '"as_of": "2026-11-20T16'));
    await expect(exported()).rejects.toThrow(/as_of, service, world .*lock, .* study restore/);
  });

  test("is refused where a notebook shows an API key", async () => {
    await writeFile(join(folder, "notebooks/b.ipynb"), '{"cells":["svc_test_0123456789abcdef"]}');
    const refusal = exported();
    await expect(refusal).rejects.toThrow(/notebooks\/b\.ipynb: .*API key/);
    await expect(refusal).rejects.not.toThrow("0123456789abcdef");
  });
});

describe("an archive", () => {
  test("is refused with the name of each file that was changed, added or taken away", async () => {
    const files = await entriesOf((await exported())[1]);
    const lock = files["study.lock.json"]!;
    const altered = Uint8Array.from(lock);
    altered[lock.length - 5] = 32;
    expect(await importOf(zipSync({ ...files, "study.lock.json": altered })))
      .toContain("study.lock.json was changed");
    expect(await importOf(zipSync({ ...files, "new.txt": lock }))).toContain("new.txt was added");
    const many = Object.fromEntries(Array.from({ length: 25 }, (_, i) => [`n${i}.txt`, lock]));
    const message = await importOf(zipSync({ ...files, ...many }));
    expect(message).toContain("n9.txt was added and 15");
    expect(message.match(/was added/g)).toHaveLength(10);
    const { "deno.json": _, ...without } = files;
    expect(await importOf(zipSync(without))).toContain("deno.json is missing");
    const { "manifest-sha256.txt": __, ...unlisted } = files;
    expect(await importOf(zipSync(unlisted))).toContain("expected manifest-sha256.txt in it");
    expect(await importOf(zipSync(files))).toBe("imported");
  });

  test("is refused if its lock was edited, although its list of checksums was made for it", async () => {
    const files = await entriesOf((await exported())[1]);
    const lock = new TextDecoder().decode(files["study.lock.json"]);
    const withLock = (text: string) => {
      const bytes = new TextEncoder().encode(text);
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      const list = new TextDecoder().decode(files["manifest-sha256.txt"])
        .replace(/[0-9a-f]{64}(?= {2}study\.lock\.json)/, sha256);
      const changed = { "study.lock.json": bytes, "manifest-sha256.txt": Buffer.from(list) };
      return importOf(zipSync({ ...files, ...changed }));
    };
    const line = / \{"factor":"ecpnd","at":.*\n/.exec(lock)![0];
    expect(await withLock(lock.replace(line, ""))).toBe(
      "Cannot import the archive: expected the 2 lines of the list views as they were written, got 1 line in its " +
        "study.lock.json, and it was edited by hand; nothing was written; ask its author to export it again",
    );
    expect(await withLock(lock.replace('"tickers":8', '"tickers":9'))).toContain("the list sets");
    expect(await withLock(lock.replace(/,\n"seal": \{[^}]*\}/, ""))).toContain(
      "service, world and",
    );
    expect(await withLock("{}")).toContain("expected 1, 2 or 3 as $.format of its study.lock.json");
    expect(await withLock(lock)).toBe("imported");
  });

  test("is refused if an entry would leave the folder or has no name that every system has", async () => {
    const files = await entriesOf((await exported())[1]);
    const names = ["../evil", "a/../../evil", "/etc/evil", "a\\..\\evil", "C:/evil", "a//b", "./a"];
    const devices = ["nul.txt", "a/con", "COM¹", "conin$", "aux .txt"];
    const others = ["a ", "a.", "a\u0000b", "a\u202egpj.exe", `${"ä".repeat(128)}.txt`];
    for (const name of [...names, ...devices, ...others]) {
      const said = await importOf(zipSync({ ...files, [name]: new Uint8Array(1) }));
      expect(said, JSON.stringify(name)).toMatch(/outside of the folder.*nothing was written/);
    }
  });

  test("is refused if it has links, names that fall together, or a file that is a folder", async () => {
    const files = await entriesOf((await exported())[1]);
    const link: Zippable = {
      link: [new TextEncoder().encode("/etc/passwd"), { os: 3, attrs: 0o120777 << 16 }],
    };
    expect(await importOf(zipSync({ ...files, ...link }))).toContain("link or a device");
    const one = new Uint8Array(1);
    for (const name of [".git/config", "notebooks/.ipynb_checkpoints/a.ipynb", ".npmrc"]) {
      expect(await importOf(zipSync({ ...files, [name]: one }))).toContain("a hidden name");
    }
    expect(await importOf(zipSync({ ...files, "ſtudy.lock.json": one }))).toContain("only in case");
    expect(await importOf(zipSync({ ...files, "Study.Lock.json": one }))).toContain("only in case");
    expect(await importOf(zipSync({ ...files, "Store/x": one }))).toContain("only in case");
    expect(await importOf(zipSync({ ...files, "store": one }))).toContain("file and a folder");
    const twice = Buffer.from(zipSync({ ...files, "deno.jsox": one }));
    for (let at = twice.indexOf("deno.jsox"); at >= 0; at = twice.indexOf("deno.jsox")) {
      twice.write("deno.json", at);
    }
    expect(await importOf(twice)).toContain("that are equal");
  });

  test("is refused if it would become far more than it is", async () => {
    const files = await entriesOf((await exported())[1]);
    const zeros = new Uint8Array(60_000_000);
    expect(await importOf(zipSync({ ...files, zeros: [zeros, { level: 9 }] }))).toContain(
      "would expand to",
    );
    // The directory names the same bytes again and again; or sizes that stand elsewhere, as zip64 has it.
    const whole = Buffer.from(
      zipSync({ ...files, "a.bin": [new Uint8Array(1_000_000), { level: 0 }] }),
    );
    const sized = (place: number, value: number) => {
      const changed = Buffer.from(whole);
      changed.writeUInt32LE(value, changed.lastIndexOf("a.bin") - 46 + place);
      return importOf(changed);
    };
    expect(await sized(20, whole.length + 1)).toContain("entries share");
    expect(await sized(20, 0xffff_ffff)).toContain("entries share");
    expect(await sized(24, 0xffff_ffff)).toContain("would expand to");
    // One that says that it is small.
    const small = new Uint8Array(1_000);
    const lying = Buffer.from(
      zipSync({ ...files, zeros: [new Uint8Array(100_000), { level: 9 }] }),
    );
    const at = lying.lastIndexOf("zeros") - 46;
    expect(lying.readUInt32LE(at + 24)).toBe(100_000);
    lying.writeUInt32LE(small.length, at + 24);
    const [changed] = (await directoryOf(lying)).filter(({ name }) => name === "zeros");
    await expect(contentOf(lying, changed!)).rejects.toThrow(
      "expected zeros as the archive describes it",
    );
  });

  test("is refused, or is the same study, whatever byte of it changes", async () => {
    const [, archive] = await exported();
    await fc.assert(
      fc.asyncProperty(
        fc.nat(archive.length - 1),
        fc.integer({ min: 1, max: 255 }),
        async (at, by) => {
          const damaged = Buffer.from(archive);
          damaged[at] = damaged[at]! ^ by;
          const path = join(dirname(folder), "damaged.zip");
          await writeFile(path, damaged);
          const target = join(dirname(folder), crypto.randomUUID());
          const imported = await importStudy(path, target).then(() => true, (error) => {
            expect(error.name).toMatch(/^(IntegrityError|StorageError)$/);
            return false;
          });
          if (imported) expect((await verifyStudy(target)).problems).toEqual([]);
        },
      ),
      { numRuns: 60 },
    );
  });

  test("goes into a new or empty folder only", async () => {
    const [path] = await exported();
    await expect(importStudy(path, folder)).rejects.toThrow("new or empty folder");
    const empty = await service.makeFolder();
    await importStudy(path, empty);
    expect((await verifyStudy(empty)).problems).toEqual([]);
  });
});
