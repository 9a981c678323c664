import type { DataFrame } from "nodejs-polars";
import { DISPLAY, type MimeBundle } from "../notebook/display.ts";
import { displayLoad } from "../notebook/display_load.ts";
import type { PriceReport } from "./price_report.ts";

/** Prices, and what was found in them. */
export interface ReportedPrices {
  /** The prices. */
  readonly prices: DataFrame;
  /** What was found. */
  readonly report: PriceReport;
}

/**
 * The promise of prices. `await` gives the frame, and a notice says what was found; `withReport()` gives both, without
 * a notice; a notebook displays the frame even where `await` was forgotten.
 */
export class PricesPromise extends Promise<DataFrame> {
  readonly #reading: Promise<ReportedPrices>;
  #isReported = false;

  /**
   * Wraps the reading of prices.
   *
   * @param reading The reading
   * @param say Says what was found, unless the report is asked for
   */
  constructor(reading: Promise<ReportedPrices>, say: (report: PriceReport) => void) {
    super((resolve, reject) => {
      reading.then(({ prices, report }) => {
        if (!this.#isReported) say(report);
        resolve(prices);
      }, reject);
    });
    this.#reading = reading;
  }

  /** What `then` returns is an ordinary promise: it has no report. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  /** The prices together with what was found in them. */
  withReport(): Promise<ReportedPrices> {
    this.#isReported = true;
    // A failure is heard on the promise that is given here; it must not count as unhandled on this one.
    this.catch(() => {});
    return this.#reading;
  }

  /** What a notebook shows of the prices. */
  [DISPLAY](): Promise<MimeBundle> {
    return displayLoad(this);
  }
}
