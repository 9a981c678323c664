-- The scores that were in force at each instant, and the status of their check: one row without a ticker if none is proved.
SELECT
  known.decided_at AS decided_at, known.factor AS factor, sets.ticker AS ticker, sets.score AS score,
  known.snapshot_id AS snapshot_id, known.last_checked_at AS last_checked_at, known.status AS status
FROM known_at AS known
LEFT JOIN sets ON sets.snapshot_id = known.snapshot_id AND sets.factor = known.factor
ORDER BY known.decided_at, known.factor, sets.ticker;
