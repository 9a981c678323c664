-- What became of every row: one row a reason and horizon (null where no return was looked for).
SELECT
  reason,
  horizon,
  count(*) AS score_rows,
  1e0 * count(*) / (SELECT count(*) FROM placed) AS share,
  count(DISTINCT session) AS sessions,
  count(DISTINCT ticker) AS tickers,
  min(session) AS first_session,
  max(session) AS last_session
FROM (
  SELECT session, ticker, reason, horizon
  FROM aligned
  WHERE reason NOT IN ('not_a_session', 'no_score')
  UNION ALL
  -- Qualified, because ClickHouse would take a bare horizon for the null that is named so.
  SELECT session, ticker, reason, nullif(aligned.horizon, aligned.horizon) AS horizon
  FROM aligned
  WHERE aligned.reason IN ('not_a_session', 'no_score')
    AND aligned.horizon = (SELECT min(horizons.horizon) FROM horizons)
) AS fates
GROUP BY reason, horizon
ORDER BY reason, horizon
