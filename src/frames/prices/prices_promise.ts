import { DISPLAY, type MimeBundle } from "../notebook/display.ts";
import { displayLoad } from "../notebook/shown_promise.ts";
import type { PriceReport } from "./price_report.ts";
import type { TableFrame } from "../frame/typed/table_frame.ts";
import type { PRICE_COLUMNS } from "./source/price_rows.ts";

/** Prices with their report. */
export interface ReportedPrices {
  /** The prices. */
  readonly prices: TableFrame<typeof PRICE_COLUMNS>;
  /** The report. */
  readonly report: PriceReport;
}

/**
 * A promise of prices. `await` returns the frame, and a notice lists the findings; `withReport()` returns both, without a
 * notice. A notebook displays the frame even if `await` was forgotten.
 */
export class PricesPromise extends Promise<TableFrame<typeof PRICE_COLUMNS>> {
  readonly #reading: Promise<ReportedPrices>;
  #isReported = false;

  /**
   * Wraps the reading of prices.
   *
   * @param reading The reading
   * @param say Shows the findings, unless the report is requested
   * @ignore
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

  /** Makes `then` return an ordinary promise, which has no report. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  /** The prices with their report. */
  withReport(): Promise<ReportedPrices> {
    this.#isReported = true;
    // The returned promise reports a failure; it must not count as unhandled on this one.
    this.catch(() => {});
    return this.#reading;
  }

  /** Notebook display of the prices. */
  [DISPLAY](): Promise<MimeBundle> {
    return displayLoad(this);
  }
}
