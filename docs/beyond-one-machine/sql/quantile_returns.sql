-- Mean forward return of each bucket: first over the names of a session, then over sessions, each session once.
SELECT horizon, quantile, avg(mean) AS mean, count(*) AS sessions, avg(1e0 * names) AS names
FROM (
  SELECT
    aligned.place AS place, aligned.horizon AS horizon, buckets.quantile AS quantile,
    avg(aligned.forward_return) AS mean, count(*) AS names
  FROM aligned
  JOIN buckets ON buckets.place = aligned.place AND buckets.ticker = aligned.ticker
  WHERE aligned.forward_return IS NOT NULL AND buckets.quantile IS NOT NULL
  GROUP BY aligned.place, aligned.horizon, buckets.quantile
) AS cells
GROUP BY horizon, quantile
ORDER BY horizon, quantile
