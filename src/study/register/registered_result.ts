import { tableView, type TextTable } from "../../client/verb/table.ts";
import { type RegisteredColumns, toRegisteredFrame } from "../../frames/frame/registered_frame.ts";
import type { TypedFrame } from "../../frames/frame/typed/typed_frame.ts";
import { displayAs } from "../../frames/notebook/display_as.ts";
import { timesText } from "../../base/wording/sentences/held_out_text.ts";
import { decimalText, pText } from "../../base/wording/number_text.ts";
import { numberSentence } from "../hold_out/registered_text.ts";
import type { LockedPlan, LockedResult, RegisteredPlan } from "../lock/entry.ts";

/** Result of a registered test: its numbers in the hold-out and in-sample. */
export class RegisteredResult {
  static {
    displayAs(RegisteredResult, (shown) => tableView(() => shown.#lines()));
  }

  /** The plan, as it was registered. */
  readonly plan: RegisteredPlan;
  /** Hash of the entry of the plan in the lock. */
  readonly sha256: string;
  /** Number of looks at the hold-out, this one included. */
  readonly looks: number;
  /**
   * One row per sample and horizon: in-sample periods, then `hold-out`. Columns: `sample` (Utf8), `horizon`, `sessions`
   * (Int32), `mean_ic`, `low`, `high`, `p` (Float64; null: too few sessions).
   */
  readonly table: TypedFrame<RegisteredColumns>;
  /** The result in sentences. */
  readonly text: string;

  /**
   * Creates a result.
   *
   * @param entry The plan
   * @param result The numbers
   * @param looks Number of looks
   * @ignore
   */
  constructor(entry: LockedPlan, result: LockedResult, looks: number) {
    this.plan = entry.plan;
    this.sha256 = entry.sha256;
    this.looks = looks;
    this.table = toRegisteredFrame(result.numbers);
    this.text = [
      `${entry.plan.question} Registered on ${entry.at.slice(0, 10)}; sessions from ` +
      `${entry.plan.holdOutFrom} on were held out.`,
      ...result.numbers.map((number) => `${numberSentence(number)}.`),
      `The hold-out was looked at ${timesText(looks)}.`,
    ].join("\n");
  }

  #lines(): TextTable {
    const { name, question, holdOutFrom } = this.plan;
    const number = (value: unknown, write: (value: number) => string) =>
      typeof value === "number" ? write(value) : "none";
    const ic = (value: unknown) => number(value, (known) => decimalText(known, 3));
    return {
      title: `${name}: ${question}`,
      header: ["sample", "horizon", "sessions", "mean IC", "95% CI", "p"],
      rows: this.table.toRecords().map((row) => [
        String(row.sample),
        String(row.horizon),
        String(row.sessions),
        ic(row.mean_ic),
        `${ic(row.low)} to ${ic(row.high)}`,
        number(row.p, pText),
      ]),
      notes: [
        `hold-out from ${holdOutFrom}, looked at ${timesText(this.looks)}`,
        `plan ${this.sha256.slice(0, 16)}…`,
      ],
    };
  }
}
