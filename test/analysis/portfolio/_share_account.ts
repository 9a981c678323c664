/** Closes by session and stock; null for none. */
export type Closes = readonly (readonly (number | null)[])[];

/** Target weights by session; null for a session without a trade, a stock that is not in them is sold. */
export type Targets = readonly (ReadonlyMap<number, number> | null)[];

export interface AccountSession {
  /** Worth of the account over that of the session before, less 1. */
  readonly earned: number;
  readonly traded: number;
  readonly weights: readonly number[];
}

/** A stock without a close for more than a quarter is over; what has its column afterwards is another one. */
export function isLast(closes: Closes, d: number, s: number): boolean {
  return closes[d]![s] !== null && closes.slice(d + 1, d + 65).every((row) => row[s] === null);
}

/**
 * A plain account of shares and cash over closes, written apart from the library: it buys and sells at today's closes, values what
 * has none at the last one, keeps it, and is paid out at the last close (times a further 1 + `delisting`) in the session after it.
 */
export function shareAccount(
  closes: Closes,
  targets: Targets,
  delisting = 0,
): readonly AccountSession[] {
  const stocks = closes[0]!.length;
  const shares = Array<number>(stocks).fill(0);
  const marks = Array<number>(stocks).fill(NaN);
  let cash = 1;
  const worth = () => shares.reduce((sum, n, s) => n === 0 ? sum : sum + n * marks[s]!, cash);
  const rows: { worth: number; traded: number; weights: number[] }[] = [];
  for (const [d, today] of closes.entries()) {
    for (let s = 0; s < stocks; s++) {
      if (today[s] !== null) marks[s] = today[s]!;
      const isOver = d > 0 && isLast(closes, d - 1, s);
      if (!isOver || shares[s] === 0) continue;
      cash += shares[s]! * marks[s]! * (1 + delisting);
      shares[s] = 0;
    }
    const capital = worth();
    let traded = 0;
    const target = targets[d] ?? null;
    for (let s = 0; target !== null && s < stocks; s++) {
      if (today[s] === null) continue;
      const wanted = (target.get(s) ?? 0) * capital / today[s]!;
      cash -= (wanted - shares[s]!) * today[s]!;
      traded += Math.abs(wanted - shares[s]!) * today[s]!;
      shares[s] = wanted;
    }
    const weights = shares.map((n, s) => n === 0 ? 0 : n * marks[s]! / capital);
    rows.push({ worth: capital, traded: traded / capital, weights });
  }
  return rows.slice(0, -1).map(({ traded, weights, worth: capital }, d) => ({
    ...{ traded, weights, earned: rows[d + 1]!.worth / capital - 1 },
  }));
}
