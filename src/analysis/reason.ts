import type { ReasonCode } from "../base/wording/sentences/reason_text.ts";

/** Reasons why a row was left out or a value is null: the closed list of every `reason` column. */
export type Reason = Exclude<ReasonCode, "used">;
