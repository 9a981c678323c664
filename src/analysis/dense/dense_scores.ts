import { countText } from "../../base/wording/number_text.ts";

/** Prices as an account knows them: where a stock can be traded, and what a held one is worth at the next session. */
export interface Marks {
  /**
   * Return from the last close to that of the next session, as sessions × tickers; NaN if there is no close then, or if what was
   * earned since the last one is not known.
   */
  readonly moves: Float64Array;
  /** 1 where a stock has a close, as (sessions + 1) × tickers: the last line is the end of the last return. */
  readonly priced: Uint8Array;
  /** 1 where a position is cash at the next session, because the stock ended at its last close; as sessions × tickers. */
  readonly ends: Uint8Array;
  /** The last session with a close of any stock: from there on nothing is earned. */
  readonly until: number;
}

/**
 * Scores and forward returns as sessions × tickers. The value of ticker `t` in session `d` is at index
 * `d * tickers.length + t`; NaN stands for null.
 */
export interface DenseScores {
  /** The sessions of the prices, ascending, in days since 1970-01-01. */
  readonly days: Int32Array;
  /**
   * Sessions from a row's session to its entry, at whose price its returns begin.
   *
   * @default 0
   */
  readonly entryLag?: number;
  /** The tickers, in the order of their code units. */
  readonly tickers: readonly string[];
  /** First session with a row in the scores, as an index into `days`. */
  readonly from: number;
  /** One more than the last session with a row in the scores. */
  readonly to: number;
  /** 1 where the scores have a row, scored or not. */
  readonly present: Uint8Array;
  /** The score of each stock of the universe; NaN where there is none. */
  readonly scores: Float64Array;
  /**
   * 1 where a stock has a score and no price at its entry: it is outside of the universe of the session.
   *
   * @default none
   */
  readonly outside?: Uint8Array | null;
  /** The horizons, in sessions, ascending. */
  readonly periods: readonly number[];
  /**
   * Further columns of the scores.
   *
   * @default none
   */
  readonly columns?: ReadonlyMap<string, Float64Array>;
  /** The forward returns of each horizon. */
  readonly returns: ReadonlyMap<number, Float64Array>;
  /**
   * Worth of held positions from session to session.
   *
   * @default what follows from the returns, which know no closes
   */
  readonly marks?: (() => Marks) | null;
  /** Groups of the stocks; `null` if none were given. */
  readonly groups: {
    /** Names of the groups, in the order of their code units. */
    readonly names: readonly string[];
    /** Index into `names` for each session and ticker; -1 if the stock has no group then. */
    readonly codes: Int32Array;
    /** True if the groups are undated: today's groups, which may not have applied at the time. */
    readonly areUndated: boolean;
  } | null;
  /** Sessions since a score was published or changed; -1 without a score, `null` if the ages are unknown. */
  readonly ages: (() => Int32Array) | null;
  /**
   * 1 for each session in which a set came into force, if sets stay in force until the next one.
   *
   * @default every session with a score
   */
  readonly signals?: Uint8Array | null;
  /**
   * True if the scores are known to be synthetic.
   *
   * @default false
   */
  readonly isSynthetic?: boolean;
}

/** Groups of the stocks by session. */
export type DenseGroups = NonNullable<DenseScores["groups"]>;

/**
 * The horizons of the returns.
 *
 * @param action Purpose, worded to follow "Cannot"
 * @throws {RangeError} If there are no returns
 */
export function horizonsOf(
  action: string,
  { periods }: Pick<DenseScores, "periods">,
): readonly number[] {
  if (periods.length > 0) return periods;
  throw new RangeError(
    `Cannot ${action}: expected returns in columns such as return_1, got none; align() joins scores with them`,
  );
}

/**
 * The forward returns of one horizon.
 *
 * @param action Purpose, worded to follow "Cannot"
 * @throws {RangeError} If they were not computed
 */
export function returnsOf(action: string, dense: DenseScores, horizon: number): Float64Array {
  const returns = dense.returns.get(horizon);
  if (returns !== undefined) return returns;
  throw new RangeError(
    `Cannot ${action}: expected returns over ${countText(horizon, "session")}, got those over ` +
      `${dense.periods.join(", ") || "none"}; add ${horizon} to the periods of forwardReturns()`,
  );
}
