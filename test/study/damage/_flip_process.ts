// Changes one bit after the other in the files of a folder and loads what is in it: prints a line before each, so that its
// parent knows at which it ended.
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { DataFrame, LazyDataFrame } from "nodejs-polars";
import { connect } from "../../../src/client/connect.ts";
import { openDataset } from "../../../src/desk/dataset/open_dataset.ts";
import { ScoreframeError } from "../../../src/base/errors.ts";
import { openStudyFolder } from "../../../src/study/open_study_folder.ts";

const [kind = "", folder = "", flips = "0", seed = "1"] = Deno.args;
const TIMES = ["2026-11-20T10:30:00Z", "2026-11-20T12:30:00Z", "2026-11-20T14:30:00Z"];

const say = (line: object) =>
  Deno.stdout.writeSync(new TextEncoder().encode(`${JSON.stringify(line)}\n`));

/** What a frame holds, but for how it came. */
function contentOf(frame: DataFrame): string {
  return JSON.stringify(
    frame.columns.includes("source") ? frame.drop("source").toRecords() : frame.toRecords(),
  );
}

async function historyOf(loading: Promise<DataFrame | LazyDataFrame>): Promise<string> {
  const frame = await loading;
  return contentOf("collect" in frame ? await frame.collect() : frame);
}

const LOADS: Readonly<Record<string, () => Promise<readonly string[]>>> = {
  async store() {
    await using api = await connect({
      offline: true,
      store: join(folder, "store"),
      environment: {},
    });
    const panel = await api.panel(["ecpnd", "ecqdi"], {
      at: TIMES,
      every: "check",
      progress: false,
    });
    return [contentOf(await api.scores("ecpnd", { at: TIMES[1]! })), contentOf(panel)];
  },
  async release() {
    await using api = await connect({
      offline: true,
      store: join(folder, "store"),
      environment: {},
    });
    return [
      await historyOf(api.history("ecpnd", { lazy: true })),
      await historyOf(api.history("ecpnd")),
      await historyOf(api.history("ecqdi")),
    ];
  },
  async study() {
    const study = await openStudyFolder(folder, { mode: "frozen", environment: {} });
    try {
      return [
        contentOf(await study.scores("ecpnd")),
        contentOf(
          await study.panel(["ecpnd", "ecqdi"], { at: TIMES, every: "check", progress: false }),
        ),
        contentOf(await study.publications("ecpnd", { from: "2026-11-20T08:00:00Z" })),
        await historyOf(study.history("ecpnd", { progress: false })),
        await historyOf(study.history("ecpnd", { lazy: true } as never) as never),
      ];
    } finally {
      await study.close();
    }
  },
  async dataset() {
    const dataset = await openDataset(folder);
    const contents: string[] = [];
    for (const partition of dataset.partitions) {
      contents.push(contentOf(await dataset.read(partition)));
    }
    return contents;
  },
};

const FILES: Readonly<Record<string, RegExp>> = {
  store: /^store\/(store\.json|ec\w+\/(sets|checks|views)\/)/,
  release: /^store\/ec\w+\/releases\//,
  study: /./,
  dataset: /\.(parquet|json)$/,
};

async function readAll(): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    files.set(path.slice(folder.length + 1), await readFile(path));
  }
  return files;
}

async function restore(files: ReadonlyMap<string, Uint8Array>): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  for (const [name, bytes] of files) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), bytes);
  }
}

function* chances(seed: number): Generator<number, never, void> {
  for (let state = seed;;) {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    yield state / 2 ** 32;
  }
}

const load = LOADS[kind]!;
const hashOf = (contents: readonly string[]) =>
  createHash("sha256").update(JSON.stringify(contents)).digest("hex");
const wanted = hashOf(await load());
const pristine = await readAll();
const names = [...pristine.keys()].filter((name) => FILES[kind]!.test(name)).toSorted();
const chance = chances(Number(seed));
const next = () => chance.next().value;
const found = { same: 0, refused: 0 };
for (let i = 0; i < Number(flips); i++) {
  const name = names[Math.floor(next() * names.length)]!;
  const bytes = pristine.get(name)!;
  const bit = Math.floor(next() * bytes.length * 8);
  const flip = { name, at: bit >> 3, bit: bit & 7 };
  say({ flip });
  await writeFile(join(folder, name), bytes.with(flip.at, bytes[flip.at]! ^ (1 << flip.bit)));
  try {
    const isSame = hashOf(await load()) === wanted;
    if (isSame) found.same++;
    else say({ wrong: "other rows", flip });
  } catch (error) {
    if (error instanceof ScoreframeError && error.message.length < 4_000) found.refused++;
    else say({ wrong: String(error instanceof Error ? error.stack : error).slice(0, 2_000), flip });
  }
  await restore(pristine);
}
say({ found });
