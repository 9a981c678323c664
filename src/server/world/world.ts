import type { Instant } from "../../base/contract/instant.ts";
import type { CheckSource } from "../../base/store/checks/complete_check.ts";
import type { StoreReader } from "../../base/store/store_reader.ts";
import type { ClosesFile } from "./market/closes.ts";
import type { MarketCalendar } from "../../base/calendar/market_calendar.ts";
import type { WorldControls } from "./control_scores.ts";
import type { WorldTruth } from "./truth/truth.ts";
import type { WorldParameters } from "./world_options.ts";

/** Synthetic service history: a store with every check of its span, and its parameters. */
export interface World {
  /** The store, marked as synthetic. */
  readonly store: StoreReader;
  /** Parameters of the world. */
  readonly parameters: WorldParameters;
  /** The checks of the world, also beyond its end. */
  readonly source: CheckSource;
  /** The sessions of the US market. */
  readonly calendar: MarketCalendar;
  /** Daily closes from the first session of the releases through the world's end. */
  readonly closes: ClosesFile;
  /** True parameters of the closes by construction. */
  readonly truth: WorldTruth;
  /** Control scores, in which a correct analysis finds no predictability. */
  readonly controls: WorldControls;
  /**
   * Completes the hourly checks after the store's last one, up to the last full hour by an instant.
   *
   * @returns Number of checks that were completed
   */
  extend(until: Instant): Promise<number>;
}
