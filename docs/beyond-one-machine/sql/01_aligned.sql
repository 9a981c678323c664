-- Scores beside their forward returns. Needs the tables scores and prices of a dataset, and 00_settings.sql.
-- One row a score row and horizon in `aligned`: reason says what became of it. session is the one in which the
-- score is traded, or its date where it is traded in none. A window that begins at the last close has the return 0.
CREATE OR REPLACE TEMP VIEW calendar AS
SELECT session, CAST(row_number() OVER (ORDER BY session) AS BIGINT) AS place
FROM (SELECT DISTINCT date AS session FROM prices) AS dates;

CREATE OR REPLACE TEMP VIEW closes AS
SELECT prices.ticker AS ticker, calendar.place AS place, prices.close AS close
FROM prices
JOIN calendar ON calendar.session = prices.date
WHERE prices.close IS NOT NULL;

CREATE OR REPLACE TEMP VIEW last_closes AS
SELECT ticker, max(place) AS place FROM closes GROUP BY ticker;

-- place: the session in which a score is traded (null if its date is no session of the prices). A row that a LEFT JOIN did
-- not find is recognised by its key, because ClickHouse fills it with zeros instead of nulls.
CREATE OR REPLACE TEMP VIEW placed AS
SELECT
  scores.date AS date, scores.ticker AS ticker, scores.score AS score,
  CASE WHEN calendar.session = scores.date THEN calendar.place + settings.entry_lag END AS place
FROM scores
JOIN settings ON settings.factor = scores.factor
LEFT JOIN calendar ON calendar.session = scores.date;

CREATE OR REPLACE TEMP VIEW aligned AS
SELECT
  session, ticker, score, place, horizon, reason,
  CASE reason
    WHEN 'used' THEN exit_close / entry_close - 1
    WHEN 'ended' THEN last_close / entry_close - 1
  END AS forward_return
FROM (
  SELECT
    CASE WHEN traded.place = placed.place THEN traded.session ELSE placed.date END AS session,
    placed.ticker AS ticker, placed.score AS score, placed.place AS place, horizons.horizon AS horizon,
    entered.close AS entry_close, left_at.close AS exit_close, ended.close AS last_close,
    CASE
      WHEN placed.place IS NULL THEN 'not_a_session'
      WHEN placed.score IS NULL THEN 'no_score'
      WHEN placed.place > bounds.last_place THEN 'beyond_prices'
      WHEN entered.close IS NULL OR entered.place <> placed.place THEN 'no_entry_price'
      WHEN placed.place + horizons.horizon > bounds.last_place THEN 'beyond_prices'
      WHEN left_at.close IS NOT NULL AND left_at.place = placed.place + horizons.horizon THEN 'used'
      WHEN last_closes.place >= placed.place AND last_closes.place < placed.place + horizons.horizon THEN 'ended'
      ELSE 'no_exit_price'
    END AS reason
  FROM placed
  CROSS JOIN horizons
  CROSS JOIN (SELECT max(place) AS last_place FROM calendar) AS bounds
  LEFT JOIN calendar AS traded ON traded.place = placed.place
  LEFT JOIN closes AS entered
    ON entered.ticker = placed.ticker AND entered.place = placed.place
  LEFT JOIN closes AS left_at
    ON left_at.ticker = placed.ticker AND left_at.place = placed.place + horizons.horizon
  LEFT JOIN last_closes ON last_closes.ticker = placed.ticker
  LEFT JOIN closes AS ended
    ON ended.ticker = placed.ticker AND ended.place = last_closes.place
) AS windows;

-- With R the average rank: rank_sum is 2R - 2, so that all of it stays whole numbers. Equal scores stay together.
CREATE OR REPLACE TEMP VIEW buckets AS
SELECT
  place, ticker, score,
  CASE
    WHEN names < quantiles THEN NULL
    WHEN names = 1 THEN 1
    ELSE greatest(1, CAST(ceil(1e0 * quantiles * rank_sum / (2 * (names - 1))) AS INT))
  END AS quantile
FROM (
  SELECT
    placed.place AS place, placed.ticker AS ticker, placed.score AS score, settings.quantiles AS quantiles,
    CAST(count(*) OVER (PARTITION BY placed.place) AS BIGINT) AS names,
    CAST(rank() OVER (PARTITION BY placed.place ORDER BY placed.score) AS BIGINT)
      - CAST(rank() OVER (PARTITION BY placed.place ORDER BY placed.score DESC) AS BIGINT)
      + CAST(count(*) OVER (PARTITION BY placed.place) AS BIGINT) - 1 AS rank_sum
  FROM placed
  CROSS JOIN settings
  WHERE placed.score IS NOT NULL AND placed.place <= (SELECT max(place) FROM calendar)
) AS ranked;
