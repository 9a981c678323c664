-- What became of every row: one row a reason and horizon (null where no return was looked for).
SELECT
  reason,
  horizon,
  count(*) AS score_rows,
  CAST(count(*) AS DOUBLE) / (SELECT count(*) FROM placed) AS share,
  count(DISTINCT session) AS sessions,
  count(DISTINCT ticker) AS tickers,
  min(session) AS first_session,
  max(session) AS last_session
FROM (
  SELECT session, ticker, reason, horizon
  FROM aligned
  WHERE reason NOT IN ('not_a_session', 'no_score')
  UNION ALL
  SELECT session, ticker, reason, CAST(NULL AS INT) AS horizon
  FROM aligned
  WHERE reason IN ('not_a_session', 'no_score') AND horizon = (SELECT min(horizon) FROM horizons)
) AS fates
GROUP BY reason, horizon
ORDER BY reason, horizon
