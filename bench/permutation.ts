/**
 * Size of `permutationTest()` where returns follow each other: `deno task bench permutation 400` makes so many samples of 40 stocks with persistent
 * scores that predict nothing, and counts rejections at 5%.
 */
import process from "node:process";
import pl from "nodejs-polars";
import { permutationTest } from "../src/analysis/mod.ts";
import { randomSource } from "../src/analysis/inference/bootstrap.ts";

const [WORLDS, STOCKS] = [Number(Deno.args[0] ?? 400), 40];

function sampleOf(seed: number, sessions: number, phi: number) {
  const random = randomSource(seed);
  const normal = () =>
    Math.sqrt(-2 * Math.log(1 - random.uniform())) * Math.cos(2 * Math.PI * random.uniform());
  const [scores, returns] = [0, 1].map(() => Array.from({ length: STOCKS }, normal));
  const rows = Array.from({ length: sessions * STOCKS }, (_, i) => {
    const stock = i % STOCKS;
    scores![stock] = 0.98 * scores![stock]! + 0.2 * normal();
    returns![stock] = phi * returns![stock]! + Math.sqrt(1 - phi ** 2) * normal();
    return {
      day: Math.floor(i / STOCKS),
      ticker: `T${stock}`,
      score: scores![stock]!,
      return_1: 0.02 * returns![stock]!,
    };
  });
  return pl.DataFrame(rows).withColumns(
    pl.col("day").add(pl.lit(18_000)).cast(pl.Int32).cast(pl.Date).alias("session"),
  );
}

for (const sessions of [60, 250]) {
  for (const phi of [-0.3, -0.1, 0, 0.1, 0.3]) {
    let rejected = 0;
    for (let seed = 1; seed <= WORLDS; seed++) {
      const [row] = permutationTest(sampleOf(7 * seed + sessions, sessions, phi)).toRecords();
      if (row!.p! < 0.05) rejected++;
    }
    const share = (100 * rejected / WORLDS).toFixed(1);
    process.stdout.write(`${sessions} sessions, autocorrelation ${phi}: ${share} %\n`);
  }
}
