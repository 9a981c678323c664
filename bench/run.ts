import { mkdir, writeFile } from "node:fs/promises";
import { availableParallelism, cpus, loadavg, totalmem } from "node:os";
import { join } from "node:path";
import process from "node:process";

// Figures of bench/README.md are quoted from the files that are committed there.
const RESULTS = join(import.meta.dirname!, "results");

const BENCHMARKS: Readonly<Record<string, string>> = {
  calibration: "how often tests reject where nothing is to be found [worlds] [all | curves]",
  analysis:
    "a factor analysis beside pandas, alphalens and Polars [sessions] [stocks] [python] [gaps]",
  box: "a notebook in each box that holds here, and without one [rounds]",
  chart: "the first chart, the others, the tear sheet [sessions] [stocks]",
  client: "bytes to a checked frame beside the careless ways, imports, panels, one exchange",
  duckdb: "an exported release as DuckDB reads it (fetches DuckDB)",
  editor: "answers of deno lsp in a cell: columns, options, verbs [rounds]",
  events: "how often event studies reject on noise with clustered calls [worlds]",
  contrary_evidence: "faults that contrary evidence finds, and false alarms [worlds]",
  history: "the full release loaded in every way, beside pandas and Polars alone [rounds]",
  kernel:
    "outputs that the kernel alone loses or misplaces, and after a connection [notebooks, bursts]",
  notebook: "outputs that are lost when notebooks are executed unattended [runs] [name]",
  permutation: "how often the permutation test rejects where returns follow each other [worlds]",
  recall: "a thousand studies asked what stands on sixty causes, beside jq [studies]",
  relay: "thirty colleagues through one relay, and without it; a warm request [--quick] [--costs]",
  selection:
    "bestOf beside arch, and a specification curve over a million rows [variants] [stocks]",
  server: "throughput, latency and memory of the embedded server [--quick]",
  study: "a study beside one Parquet file: replay, verify, open, size [days] [tickers]",
  world: "what it takes to build a world [full|small]",
};

/**
 * Runs one benchmark by name: `deno task bench client`. Without a name, lists them. What it prints is also written to
 * `bench/results/NAME.txt`, below the date, the machine and its load.
 */
async function main([name, ...rest]: readonly string[]): Promise<number> {
  if (name === undefined || name === "--help" || name === "-h") {
    process.stdout.write(`${usage()}\n`);
    return 0;
  }
  if (!Object.hasOwn(BENCHMARKS, name)) {
    process.stderr.write(
      `Cannot run the benchmark "${name}": one of these is required\n${usage()}\n`,
    );
    return 2;
  }
  process.argv.splice(2, process.argv.length, ...rest);
  const printed = [headText([name, ...rest])];
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = (text: string | Uint8Array) => {
    printed.push(String(text));
    return write(text);
  };
  await import(new URL(`./${name}.ts`, import.meta.url).href);
  await mkdir(RESULTS, { recursive: true });
  await writeFile(join(RESULTS, `${name}.txt`), printed.join(""));
  return 0;
}

/** Date, command, machine and load. */
function headText(command: readonly string[]): string {
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  return [
    `${new Date().toISOString().slice(0, 10)}, deno task bench ${command.join(" ")}`,
    `${
      cpus()[0]?.model
    }, ${availableParallelism()} processors, ${memory}, Deno ${Deno.version.deno}`,
    `load at the start ${loadavg().map((load) => load.toFixed(1)).join(", ")}`,
    "",
    "",
  ].join("\n");
}

function usage(): string {
  const lines = Object.entries(BENCHMARKS).map(([name, does]) => `  ${name.padEnd(11)} ${does}`);
  return ["usage: deno task bench NAME [arguments]", "", ...lines].join("\n");
}

process.exitCode = await main(Deno.args);
