-- Each set with the time until which it was in force, and each check with that of the next one, null for none yet.
CREATE OR REPLACE TEMP VIEW sets_in_force AS
SELECT
  factor, snapshot_id, factor_version, universe,
  CAST(calculated_at AS TIMESTAMP) AS from_at,
  LEAD(CAST(calculated_at AS TIMESTAMP)) OVER (PARTITION BY factor ORDER BY calculated_at) AS until_at
FROM publications;

CREATE OR REPLACE TEMP VIEW checks_in_force AS
SELECT
  factor, snapshot_id, data_through, prices_through, status,
  CAST(last_checked_at AS TIMESTAMP) AS from_at,
  LEAD(CAST(last_checked_at AS TIMESTAMP)) OVER (PARTITION BY factor ORDER BY last_checked_at) AS until_at
FROM checks;

-- One row for each instant: the set in force, and the last check before it that was loaded. A check of another set
-- says that later ones were not loaded: its columns are null then.
CREATE OR REPLACE TEMP VIEW known_at AS
SELECT
  asked.factor AS factor, asked.decided_at AS decided_at, live.snapshot_id AS snapshot_id,
  live.from_at AS calculated_at, live.factor_version AS factor_version, live.universe AS universe,
  made.from_at AS last_checked_at, made.data_through AS data_through,
  made.prices_through AS prices_through, made.status AS status
FROM instants AS asked
INNER JOIN sets_in_force AS live
  ON live.factor = asked.factor AND live.from_at <= asked.decided_at
LEFT JOIN checks_in_force AS made
  ON made.factor = asked.factor AND made.snapshot_id = live.snapshot_id
  AND made.from_at <= asked.decided_at
  AND (made.until_at IS NULL OR asked.decided_at < made.until_at)
WHERE live.until_at IS NULL OR asked.decided_at < live.until_at;
