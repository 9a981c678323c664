-- The instants that are asked about, in UTC, and the factor: change both here, or select them from a table of your own.
-- The time zone of the session has to be UTC.
CREATE OR REPLACE TEMP VIEW instants AS
SELECT 'ecpnd' AS factor, CAST(listed.at_text AS TIMESTAMP) AS decided_at
FROM (VALUES ('2026-11-17 21:00:00'), ('2026-11-18 21:00:00'), ('2026-11-19 21:00:00')) AS listed (at_text);
