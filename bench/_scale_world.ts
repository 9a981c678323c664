import pl, { type DataFrame } from "nodejs-polars";
import { placeOf } from "../src/desk/dataset/state.ts";
import { readNewest } from "../src/desk/dataset/states.ts";
import { exportDataset } from "../src/desk/dataset/mod.ts";
import { sessions } from "../src/frames/frame/sessions/sessions.ts";

/** How large a world is. */
export interface ScaleWorld {
  /** Its factors. */
  readonly factors: readonly string[];
  /** Its years. */
  readonly years: readonly number[];
  /** How many tickers it has. */
  readonly tickers: number;
}

/**
 * Writes a dataset one partition at a time, so that it may be larger than memory. Partitions that are finished are left
 * alone, so that one that was interrupted goes on.
 *
 * @returns The rows of scores that it has
 * @throws {Error} If the folder has a world of another size
 */
export async function writeScaleWorld(folder: string, world: ScaleWorld): Promise<number> {
  const names = Array.from({ length: world.tickers }, (_, i) => `T${String(i).padStart(4, "0")}`);
  const closes = new Float64Array(world.tickers).fill(100);
  const { partitions } = await readNewest(folder);
  const finished = new Map(partitions.map((one) => [placeOf(one), one.rows]));
  let rows = 0;
  for (const year of world.years) {
    const days = daysOf(year);
    const height = days.length * names.length;
    const write = async (factor: string | null, make: () => Float64Array) => {
      const table = factor === null ? "prices" : "scores";
      const known = finished.get(placeOf({ table, factor, year }));
      if (known !== undefined && known !== height) {
        throw new Error(`${folder} has ${known} rows in ${table} of ${year}, expected ${height}`);
      }
      if (known !== undefined) return;
      const column = factor === null ? "close" : "score";
      const frame = toFrame(days, names, { [column]: make() });
      await exportDataset(frame, folder, factor === null ? {} : { factor });
    };
    const random = randomOf(year);
    const returns = Float64Array.from({ length: height }, () => 0.04 * (random() - 0.5));
    const prices = returns.map((gain, cell) => closes[cell % names.length]! *= 1 + gain);
    await write(null, () => prices);
    for (const [place, factor] of world.factors.entries()) {
      // A score knows a part of the next session's return.
      await write(factor, () => {
        const noise = randomOf(1000 * year + place);
        return returns.map((_, cell) =>
          Math.min(1, Math.max(0, 0.5 + (returns[cell + names.length] ?? 0) * place + noise() / 2))
        );
      });
      rows += height;
    }
  }
  return rows;
}

function daysOf(year: number): readonly Date[] {
  return sessions(`${year}-01-01`, `${year}-12-31`).getColumn("date")
    .toArray() as unknown as Date[];
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
