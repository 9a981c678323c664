-- Which names have rows and scores: one row a session in which the scores are traded.
SELECT
  calendar.session AS session,
  counts.row_count AS row_count,
  counts.scored AS scored,
  counts.zeros AS zeros,
  counts.halves AS halves,
  counts.ones AS ones,
  CASE WHEN counts.place = bounds.first_place THEN 0 ELSE counts.row_count - counts.stayed END AS entered,
  coalesce(earlier.row_count, 0) - counts.stayed AS left_names,
  counts.expired AS expired
FROM (
  SELECT
    today.place AS place,
    count(*) AS row_count,
    count(today.score) AS scored,
    sum(CASE WHEN today.score = 0 THEN 1 ELSE 0 END) AS zeros,
    sum(CASE WHEN today.score = 0.5 THEN 1 ELSE 0 END) AS halves,
    sum(CASE WHEN today.score = 1 THEN 1 ELSE 0 END) AS ones,
    sum(CASE WHEN earlier.ticker = today.ticker THEN 1 ELSE 0 END) AS stayed,
    sum(CASE WHEN today.score IS NULL AND earlier.score IS NOT NULL THEN 1 ELSE 0 END) AS expired
  FROM (SELECT place, ticker, score, place - 1 AS place_before FROM placed) AS today
  LEFT JOIN placed AS earlier ON earlier.place = today.place_before AND earlier.ticker = today.ticker
  GROUP BY today.place
) AS counts
LEFT JOIN (SELECT place, count(*) AS row_count FROM placed GROUP BY place) AS earlier
  ON earlier.place = counts.place - 1
CROSS JOIN (SELECT min(place) AS first_place FROM placed) AS bounds
JOIN calendar ON calendar.place = counts.place
ORDER BY calendar.session
