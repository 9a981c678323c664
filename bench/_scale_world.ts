import pl, { type DataFrame } from "nodejs-polars";
import { exportDataset } from "../src/dataset/mod.ts";
import { sessions } from "../src/frame/sessions/sessions.ts";

/** How large a world is. */
export interface ScaleWorld {
  /** Its factors. */
  readonly factors: readonly string[];
  /** Its years. */
  readonly years: readonly number[];
  /** How many tickers it has. */
  readonly tickers: number;
}

/** Writes a dataset one partition at a time, so that it may be larger than memory; the rows that it has. */
export async function writeScaleWorld(folder: string, world: ScaleWorld): Promise<number> {
  const names = Array.from({ length: world.tickers }, (_, i) => `T${String(i).padStart(4, "0")}`);
  const closes = new Float64Array(world.tickers).fill(100);
  let rows = 0;
  for (const year of world.years) {
    const days = sessions(`${year}-01-01`, `${year}-12-31`).getColumn("date")
      .toArray() as unknown as Date[];
    const random = randomOf(year);
    const returns = Float64Array.from(
      { length: days.length * names.length },
      () => 0.04 * (random() - 0.5),
    );
    const prices = returns.map((gain, cell) => closes[cell % names.length]! *= 1 + gain);
    await exportDataset(toFrame(days, names, { close: prices }), folder);
    for (const [place, factor] of world.factors.entries()) {
      // A score knows a part of the next session's return.
      const scores = returns.map((_, cell) =>
        Math.min(1, Math.max(0, 0.5 + (returns[cell + names.length] ?? 0) * place + random() / 2))
      );
      const frame = toFrame(days, names, { score: scores });
      const { partitions } = await exportDataset(frame, folder, { factor });
      rows += partitions.reduce((sum, partition) => sum + partition.rows, 0);
    }
  }
  return rows;
}

function toFrame(
  days: readonly Date[],
  names: readonly string[],
  columns: Readonly<Record<string, Float64Array>>,
): DataFrame {
  const height = days.length * names.length;
  const day = Int32Array.from(
    { length: height },
    (_, cell) => days[Math.floor(cell / names.length)]!.getTime() / 86_400_000,
  );
  const table = pl.DataFrame([
    pl.Series("place", Int32Array.from(names.keys()), pl.Int32),
    pl.Series("ticker", [...names], pl.Utf8),
  ]);
  return pl.DataFrame([
    pl.Series("date", day, pl.Int32).cast(pl.Date),
    pl.Series("place", day.map((_, cell) => cell % names.length), pl.Int32),
    ...Object.entries(columns).map(([name, values]) => pl.Series(name, values, pl.Float64)),
  ]).join(table, { on: "place", how: "left" }).drop("place");
}

function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}
