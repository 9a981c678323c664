-- Share of the names of a bucket that were not in it some sessions ago (null unless both sessions have the bucket).
SELECT
  calendar.session,
  today.quantile,
  CASE WHEN earlier.names IS NULL THEN NULL
       ELSE 1 - CAST(today.stayed AS DOUBLE) / today.names
  END AS turnover,
  today.names AS n
FROM (
  SELECT now.place, now.quantile, count(*) AS names, count(before.ticker) AS stayed
  FROM (SELECT buckets.*, place - turnover_period AS place_before FROM buckets CROSS JOIN settings) AS now
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
