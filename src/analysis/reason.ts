/** Why a row was left out, or why a value is null: the closed list of every `reason` column. */
export type Reason =
  | "refused_status"
  | "not_a_session"
  | "superseded"
  | "expired"
  | "no_score"
  | "no_entry_price"
  | "beyond_prices"
  | "no_exit_price"
  | "ended"
  | "too_few_names"
  | "constant_scores"
  | "constant_returns"
  | "rank_deficient"
  | "too_few_windows"
  | "no_variance"
  | "no_relation"
  | "no_decay";
