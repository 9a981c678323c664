-- Spearman correlation of scores and forward returns: one row a session and horizon.
-- Names are ranked among those that have both. The rank from below minus the rank from above is twice the average rank,
-- centred: a whole number, so that the sums are exact.
SELECT
  calendar.session AS session,
  sums.horizon AS horizon,
  CASE
    WHEN sums.names < settings.min_names OR sums.xx = 0 OR sums.yy = 0 THEN NULL
    ELSE 1e0 * sums.xy / (sqrt(1e0 * sums.xx) * sqrt(1e0 * sums.yy))
  END AS ic,
  sums.names AS n
FROM (
  SELECT place, horizon, count(*) AS names, sum(x * y) AS xy, sum(x * x) AS xx, sum(y * y) AS yy
  FROM (
    SELECT
      place,
      horizon,
      CAST(rank() OVER (PARTITION BY place, horizon ORDER BY score) AS BIGINT)
        - CAST(rank() OVER (PARTITION BY place, horizon ORDER BY score DESC) AS BIGINT) AS x,
      CAST(rank() OVER (PARTITION BY place, horizon ORDER BY forward_return) AS BIGINT)
        - CAST(rank() OVER (PARTITION BY place, horizon ORDER BY forward_return DESC) AS BIGINT) AS y
    FROM aligned
    WHERE score IS NOT NULL AND forward_return IS NOT NULL
  ) AS ranks
  GROUP BY place, horizon
) AS sums
JOIN calendar ON calendar.place = sums.place
CROSS JOIN settings
ORDER BY calendar.session, sums.horizon
