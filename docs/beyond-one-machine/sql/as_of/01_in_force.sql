-- What is proved: a check is in force for the hour after it, or until the next one. A set is from its publication to the end
-- of its last loaded check, or to the next publication, because no set is in force twice. Anything else was not loaded.
CREATE OR REPLACE TEMP VIEW checks_in_force AS
SELECT
  factor, snapshot_id, data_through, prices_through, status, from_at,
  CASE WHEN next_at < from_at + INTERVAL '1 hour' THEN next_at ELSE from_at + INTERVAL '1 hour' END AS until_at
FROM (
  SELECT
    factor, snapshot_id, data_through, prices_through, status,
    CAST(last_checked_at AS TIMESTAMP) AS from_at,
    LEAD(CAST(last_checked_at AS TIMESTAMP)) OVER (PARTITION BY factor ORDER BY last_checked_at) AS next_at
  FROM checks
) AS followed;

CREATE OR REPLACE TEMP VIEW sets_in_force AS
SELECT
  published.factor AS factor, published.snapshot_id AS snapshot_id, published.factor_version AS factor_version,
  published.universe AS universe, published.from_at AS from_at,
  CASE WHEN published.next_at < last_seen.until_at THEN published.next_at ELSE last_seen.until_at END AS until_at
FROM (
  SELECT
    factor, snapshot_id, factor_version, universe,
    CAST(calculated_at AS TIMESTAMP) AS from_at,
    LEAD(CAST(calculated_at AS TIMESTAMP)) OVER (PARTITION BY factor ORDER BY calculated_at) AS next_at
  FROM publications
) AS published
INNER JOIN (
  SELECT factor, snapshot_id, max(until_at) AS until_at FROM checks_in_force GROUP BY factor, snapshot_id
) AS last_seen ON last_seen.factor = published.factor AND last_seen.snapshot_id = published.snapshot_id;

-- One row for each instant. Its set, and with it all columns, is null unless proved, and so are the check and its status.
CREATE OR REPLACE TEMP VIEW known_at AS
SELECT
  asked.factor AS factor, asked.decided_at AS decided_at, live.snapshot_id AS snapshot_id,
  live.from_at AS calculated_at, live.factor_version AS factor_version, live.universe AS universe,
  made.from_at AS last_checked_at, made.data_through AS data_through,
  made.prices_through AS prices_through, made.status AS status
FROM instants AS asked
LEFT JOIN sets_in_force AS live
  ON live.factor = asked.factor AND live.from_at <= asked.decided_at AND asked.decided_at < live.until_at
LEFT JOIN checks_in_force AS made
  ON made.factor = asked.factor AND made.snapshot_id = live.snapshot_id
  AND made.from_at <= asked.decided_at AND asked.decided_at < made.until_at;
