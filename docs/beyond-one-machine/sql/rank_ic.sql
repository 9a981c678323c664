-- Spearman correlation of scores and forward returns: one row a session and horizon.
-- Names are ranked among those that have both. The centred double ranks are whole numbers, so that the sums are exact.
SELECT
  calendar.session,
  sums.horizon,
  CASE
    WHEN sums.names < settings.min_names OR sums.xx = 0 OR sums.yy = 0 THEN NULL
    ELSE CAST(sums.xy AS DOUBLE) / (sqrt(CAST(sums.xx AS DOUBLE)) * sqrt(CAST(sums.yy AS DOUBLE)))
  END AS ic,
  sums.names AS n
FROM (
  SELECT place, horizon, count(*) AS names, sum(x * y) AS xy, sum(x * x) AS xx, sum(y * y) AS yy
  FROM (
    SELECT
      place,
      horizon,
      CAST(
        2 * rank() OVER (PARTITION BY place, horizon ORDER BY score)
        + count(*) OVER (PARTITION BY place, horizon, score)
        - count(*) OVER (PARTITION BY place, horizon) - 2
        AS BIGINT
      ) AS x,
      CAST(
        2 * rank() OVER (PARTITION BY place, horizon ORDER BY forward_return)
        + count(*) OVER (PARTITION BY place, horizon, forward_return)
        - count(*) OVER (PARTITION BY place, horizon) - 2
        AS BIGINT
      ) AS y
    FROM aligned
    WHERE score IS NOT NULL AND forward_return IS NOT NULL
  ) AS ranks
  GROUP BY place, horizon
) AS sums
JOIN calendar ON calendar.place = sums.place
CROSS JOIN settings
ORDER BY calendar.session, sums.horizon
