-- Share of the names of a bucket that were not in it some sessions ago (null unless both sessions have the bucket).
SELECT
  calendar.session AS session,
  today.quantile AS quantile,
  CASE WHEN earlier.quantile = today.quantile THEN 1 - 1e0 * today.stayed / today.names END AS turnover,
  today.names AS n
FROM (
  SELECT
    now.place AS place, now.quantile AS quantile, count(*) AS names,
    sum(CASE WHEN before.ticker = now.ticker THEN 1 ELSE 0 END) AS stayed
  FROM (
    SELECT
      buckets.place AS place, buckets.ticker AS ticker, buckets.quantile AS quantile,
      buckets.place - settings.turnover_period AS place_before
    FROM buckets
    CROSS JOIN settings
  ) AS now
  LEFT JOIN buckets AS before
    ON before.place = now.place_before AND before.ticker = now.ticker AND before.quantile = now.quantile
  WHERE now.quantile IS NOT NULL
  GROUP BY now.place, now.quantile
) AS today
CROSS JOIN settings
LEFT JOIN (
  SELECT place, quantile, count(*) AS names FROM buckets GROUP BY place, quantile
) AS earlier
  ON earlier.place = today.place - settings.turnover_period AND earlier.quantile = today.quantile
JOIN calendar ON calendar.place = today.place
ORDER BY calendar.session, today.quantile
