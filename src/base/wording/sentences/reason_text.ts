const TEXTS: Readonly<Record<string, string>> = {
  used: "used",
  refused_status: "set status not requested",
  excluded: "excluded by where",
  not_a_session: "not a session of the prices",
  superseded: "a later set was in force",
  expired: "score too old",
  no_score: "no score",
  no_entry_price: "no price at entry",
  beyond_prices: "return ends after the prices",
  no_exit_price: "no price at exit",
  no_group: "in no group",
  ended: "used, delisted within the window",
  too_few_names: "too few stocks",
  constant_scores: "all scores equal",
  constant_returns: "all returns equal",
  rank_deficient: "columns linearly dependent",
  too_few_windows: "too few windows",
  no_variance: "no variance",
  total_loss: "all capital lost",
  no_relation: "IC at the first lag not above zero",
  no_decay: "no decay over these lags",
  shorter_than_grid: "half-life below the shortest fitted",
  persistent_scores: "scores persist beyond the shifts",
};

/** A code of a `reason` column in words; any other text stays as it is. */
export function reasonText(code: string): string {
  return Object.hasOwn(TEXTS, code) ? TEXTS[code]! : code;
}
