import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { FACTORS } from "../../../src/base/contract/factor.ts";
import { Store } from "../../../src/base/store/store.ts";
import { encodeLock } from "../../../src/study/lock/lock_text.ts";
import type { StudyLock } from "../../../src/study/lock/lock.ts";
import type { Cause } from "../../../src/study/recall/stands_on.ts";

/** A cause, and the names of the studies that stand on it. */
export interface PlantedCause {
  readonly name: string;
  readonly cause: Cause;
  readonly expected: readonly string[];
}

/** A cause without any part. */
export const NOTHING: Cause = {
  set: undefined,
  release: undefined,
  input: undefined,
  rows: undefined,
  versions: { scoreframe: undefined, polars: undefined, runtime: undefined },
  uses: [],
  option: undefined,
};

// Sessions of the exchange from its calendar on paper: 17 April 2026 is a Friday, and none of these is a holiday.
const SESSIONS = [
  "13",
  "14",
  "15",
  "16",
  "17",
  "20",
  "21",
  "22",
  "23",
  "24",
  "27",
  "28",
  "29",
  "30",
]
  .map((day) => `2026-04-${day}`);
const TICKERS = ["AAA", "BBB", "BRK.B", "CCC", "DDD"];
const VERSIONS = ["0.1.0", "0.1.3", "0.2.0-rc.1", "0.2.0", "0.10.0"];
const FUNCTIONS = ["permutationTest", "famaMacBeth", "holdingPeriods", "doubleSort", "winsorize"];
const SEEDS = [1, 2, 3, 4, 5];
// An address that this repository must not have.
const JSR = "jsr:";
const ROWS_FILE = "closes/rows.csv";

interface Planned {
  readonly name: string;
  readonly sets: readonly number[];
  readonly release: number;
  readonly input: number;
  readonly version: string;
  readonly uses: string;
  readonly seed: number;
  /** Session, tickers with a score and horizon of an analysis of the rows; `null` for a study that only pins the file. */
  readonly rows: {
    readonly at: number;
    readonly scored: readonly string[];
    readonly horizon: number;
  } | null;
  readonly pinsRows: boolean;
}

/** Writes studies, and plants sixty causes. What stands on which is known from how they were made. */
export async function generateStudies(
  root: string,
  count: number,
): Promise<readonly PlantedCause[]> {
  const random = numbersFrom(20_261_128);
  const planned = Array.from({ length: count }, (_, i) => plan(i, random));
  for (const [i, study] of planned.entries()) await write(root, study, i);
  return causesOf(planned);
}

function numbersFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => (state = state * 48_271 % 2_147_483_647) % below;
}

function plan(i: number, random: (below: number) => number): Planned {
  const scored = TICKERS.filter(() => random(2) === 1);
  const rows = { at: random(SESSIONS.length), scored, horizon: 1 + random(4) };
  const pinsRows = random(3) === 0;
  return {
    name: `desk-${i % 7}/study ${String(i).padStart(4, "0")}`,
    sets: [random(40), 40 + random(40)],
    release: random(12),
    input: random(15),
    version: VERSIONS[random(VERSIONS.length)]!,
    uses: FUNCTIONS[random(FUNCTIONS.length)]!,
    seed: SEEDS[random(SEEDS.length)]!,
    rows: pinsRows && random(4) > 0 ? rows : null,
    pinsRows,
  };
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function setId(i: number): string {
  const digits = hash(`set ${i}`);
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `8${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ]
    .join("-");
}

const inputText = (i: number) => `date,ticker,close\n2026-04-13,AAA,${100 + i}\n`;
const ROWS_TEXT = "date,ticker,close\n2026-04-13,BRK.B,500\n";

async function write(root: string, study: Planned, i: number): Promise<void> {
  const folder = join(root, study.name);
  await mkdir(join(folder, "closes"), { recursive: true });
  await writeFile(join(folder, "study.lock.json"), encodeLock(lockOf(study)));
  await writeFile(join(folder, "prices.csv"), inputText(study.input));
  await writeFile(join(folder, "work.ipynb"), notebook(study, i));
  if (!study.pinsRows) return;
  await writeFile(join(folder, ROWS_FILE), ROWS_TEXT);
  const store = await Store.create(join(folder, "store"), {
    format: 1,
    kind: "recording",
    description: "planted",
    synthetic: true,
    complete: null,
    origin: { service: "http://localhost" },
  });
  const scored = study.rows?.scored ?? [];
  for (const set of study.sets) {
    await store.putSet({
      factor: FACTORS[0]!,
      snapshotId: setId(set),
      factorVersion: "v1",
      calculatedAt: "2026-04-10T15:00:00.000Z",
      rows: { tickers: TICKERS, scores: TICKERS.map((name) => scored.includes(name) ? 0.5 : null) },
    });
  }
}

function lockOf(study: Planned): StudyLock {
  const file = (path: string, text: string) => ({
    path,
    sha256: hash(text),
    sizeBytes: text.length,
  });
  const factor = FACTORS[0]!;
  const session = SESSIONS[study.rows?.at ?? 0]!;
  return {
    asOf: "2026-05-04T15:00:00.000Z",
    service: "http://localhost",
    world: null,
    synthetic: true,
    sets: study.sets.map((set) => ({
      factor,
      calculatedAt: "2026-04-10T15:00:00.000Z",
      snapshotId: setId(set),
      factorVersion: "v1",
      universe: "US",
      tickers: 5,
      scored: study.rows?.scored.length ?? 0,
      numbers: hash(`numbers ${set}`),
    })),
    views: study.sets.map((set, i) => ({
      factor,
      at: `${session}T20:0${i}:00.000Z`,
      snapshotId: setId(set),
      check: null,
      receipt: null,
    })),
    absences: [],
    releases: [{
      factor: FACTORS[1]!,
      downloadSha256: hash(`release ${study.release}`),
      isDefault: true,
      rows: 10,
      scored: 9,
      sessions: 2,
      firstSession: "2026-01-05",
      lastSession: "2026-01-06",
      factorVersion: null,
      universe: null,
      availability: null,
      numbers: hash("numbers"),
      receipt: null,
    }],
    inputs: [
      file("prices.csv", inputText(study.input)),
      ...study.pinsRows ? [file(ROWS_FILE, ROWS_TEXT)] : [],
    ],
    registered: [],
    ignore: [],
    environment: { scoreframe: study.version, runtime: "deno 2.9.6", polars: "0.25.2" },
  };
}

/** One of five ways to call a function, beside what only looks like a call of the others. */
function notebook({ uses, seed, rows }: Planned, i: number): string {
  const others = FUNCTIONS.filter((name) => name !== uses);
  const options = [`{ seed: ${seed} }`, `{ seed: [${seed}, 99] }`, "{ seed: SEED }"][i % 3]!;
  const calls = [
    [`import { ${uses} } from "scoreframe/analysis";`, `${uses}(data, ${options});`],
    [
      `import { ${uses} as mine, type Trial } from "${JSR}@scoreframe/scoreframe@0.1.0/analysis";`,
      `mine<Trial>(data, ${options});`,
    ],
    [`import * as sf from "scoreframe/analysis";`, `sf.${uses}(data, ${options});`],
    [
      `const { ${uses}: loaded } = await import("scoreframe/analysis");`,
      `loaded(data as never, ${options});`,
    ],
    [`const all = await import("npm:scoreframe/analysis");`, `all["${uses}"](data, ${options});`],
  ][i % 5]!;
  const cells = [
    `const SEED: number = ${seed};\n${calls[0]}`,
    `// ${others[0]}(data, { seed: 77 }) is for another day\nconst said = "${others[1]}(data)";`,
    `import { ${others[2]} } from "./local.ts";\n${others[2]}(data, { seed: 78 });`,
    `function ${others[3]}(data: unknown) { return { data, seed: 79 }; }\n${others[3]}(/x"y/);`,
    calls[1]!,
    ...rows === null ? [] : [
      `import { analyzeFactor } from "scoreframe/analysis";\nawait analyzeFactor(s, p, { periods: [${rows.horizon}] });`,
    ],
  ];
  return JSON.stringify({
    cells: cells.map((source) => ({ cell_type: "code", metadata: {}, outputs: [], source })),
    metadata: { kernelspec: { name: "deno", language: "typescript" } },
    nbformat: 4,
    nbformat_minor: 5,
  });
}

function causesOf(planned: readonly Planned[]): readonly PlantedCause[] {
  const plant = (name: string, part: Partial<Cause>, stands: (study: Planned) => boolean) => ({
    name,
    cause: { ...NOTHING, ...part },
    expected: planned.filter(stands).map((study) => study.name).toSorted(),
  });
  const tens = (count: number) => Array.from({ length: count }, (_, i) => i);
  const file = (text: string) => ({ input: { hashes: [hash(text)], name: null } });
  return [
    ...tens(10).map((i) =>
      plant(
        `set ${i}`,
        { set: i % 2 ? setId(8 * i) : setId(8 * i).slice(0, 8) },
        ({ sets }) => sets.includes(8 * i),
      )
    ),
    ...tens(8).map((i) =>
      plant(`release ${i}`, { release: hash(`release ${i}`) }, ({ release }) => release === i)
    ),
    ...tens(8).map((i) => plant(`input ${i}`, file(inputText(i)), ({ input }) => input === i)),
    ...tens(10).map((i) => {
      const [ticker, first, last] = [TICKERS[i % 5]!, i + 2, Math.min(i + 2 + i % 3, 13)];
      const rows = { ticker, from: SESSIONS[first]!, to: SESSIONS[last]! };
      return plant(
        `rows ${i}`,
        { ...file(ROWS_TEXT), rows },
        ({ rows: own }) =>
          own !== null && own.scored.includes(ticker) &&
          SESSIONS.some((_, at) =>
            at >= first && at <= last && at > own.at && at <= own.at + 1 + own.horizon
          ),
      );
    }),
    ...([
      ["<0.2.0", ["0.1.0", "0.1.3", "0.2.0-rc.1"]],
      ["0.2.0", ["0.2.0"]],
      [">=0.1.1 <0.2.0", ["0.1.3", "0.2.0-rc.1"]],
      [">0.2.0", ["0.10.0"]],
    ] as const).map(([range, versions]) =>
      plant(
        `versions ${range}`,
        { versions: { ...NOTHING.versions, scoreframe: range } },
        ({ version }) => (versions as readonly string[]).includes(version),
      )
    ),
    ...FUNCTIONS.map((name) => plant(name, { uses: [[name]] }, ({ uses }) => uses === name)),
    ...FUNCTIONS.map((name) =>
      plant(`${name}, <0.2.0`, {
        uses: [[name]],
        versions: { ...NOTHING.versions, scoreframe: "<=0.1.3" },
      }, ({ uses, version }) => uses === name && ["0.1.0", "0.1.3"].includes(version))
    ),
    ...SEEDS.map((seed) =>
      plant(
        `seed ${seed}`,
        { option: { name: "seed", value: `${seed}` } },
        (study) => study.seed === seed,
      )
    ),
    ...FUNCTIONS.map((name, i) =>
      plant(`${name}, seed ${SEEDS[i]}`, {
        uses: [[name]],
        option: { name: "seed", value: `${SEEDS[i]}` },
      }, (study) => study.uses === name && study.seed === SEEDS[i])
    ),
  ];
}
