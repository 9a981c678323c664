import { SESSIONS_OF_QUARTER } from "../../../base/statistics/moments.ts";
import type { Frequency } from "../../../frames/prices/dates/frequency.ts";

/** Default horizons and lags of a frequency. */
interface DefaultPeriods {
  /** Horizons. */
  readonly periods: readonly number[];
  /** The longest lag of the decay. */
  readonly lastLag: number;
}

/** Default horizons and lags of each frequency, in periods: about a day, a week and a month; a month, a quarter, a year. */
export const DEFAULT_PERIODS: Readonly<Record<Frequency, DefaultPeriods>> = {
  daily: { periods: [1, 5, 21], lastLag: SESSIONS_OF_QUARTER },
  weekly: { periods: [1, 4, 13], lastLag: 26 },
  monthly: { periods: [1, 3, 12], lastLag: 24 },
  quarterly: { periods: [1, 2, 4], lastLag: 8 },
  yearly: { periods: [1, 2, 3], lastLag: 3 },
};
