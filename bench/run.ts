import process from "node:process";

const BENCHMARKS: Readonly<Record<string, string>> = {
  calibration: "how often tests reject where nothing is to be found [worlds] [all | curves]",
  analysis:
    "a factor analysis beside pandas, alphalens and Polars [sessions] [stocks] [python] [gaps]",
  chart: "the first chart, the others, the tear sheet [sessions] [stocks]",
  client: "bytes to a checked frame beside the careless ways, imports, panels, one exchange",
  duckdb: "an exported release as DuckDB reads it (fetches DuckDB)",
  editor: "answers of deno lsp in a cell: columns, options, verbs [rounds]",
  history: "the full release loaded in every way, beside pandas and Polars alone [rounds]",
  kernel:
    "outputs that the kernel alone loses or misplaces, and after a connection [notebooks, bursts]",
  notebook: "outputs that are lost when notebooks are executed unattended [runs] [name]",
  relay: "thirty colleagues through one relay, and without it; a warm request [--quick] [--costs]",
  scale:
    "an analysis partition by partition: one worker, two, the line [full] [engines] [dataset=FOLDER] [LINE.svg]",
  selection:
    "bestOf beside arch, and a specification curve over a million rows [variants] [stocks]",
  server: "throughput, latency and memory of the embedded server [--quick]",
  study: "a study beside one Parquet file: replay, verify, open, size [days] [tickers]",
  world: "what it takes to build a world [full|small]",
};

/** Runs one benchmark by name: `deno task bench client`. Without a name, lists them. */
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
  await import(new URL(`./${name}.ts`, import.meta.url).href);
  return 0;
}

function usage(): string {
  const lines = Object.entries(BENCHMARKS).map(([name, does]) => `  ${name.padEnd(11)} ${does}`);
  return ["usage: deno task bench NAME [arguments]", "", ...lines].join("\n");
}

process.exitCode = await main(Deno.args);
