-- The set and the check in force at each instant, null where the dataset does not prove them.
SELECT
  decided_at, factor, snapshot_id, calculated_at, last_checked_at, data_through, prices_through, status
FROM known_at
ORDER BY decided_at, factor;
