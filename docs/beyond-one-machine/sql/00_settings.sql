-- What is analysed, and how: change it here, the other files read it.
-- entry_lag 1 enters at the close of the next session (the default of the library), 0 at the close of the session itself.
CREATE OR REPLACE TEMP VIEW settings AS
SELECT 'ecpnd' AS factor, 1 AS entry_lag, 5 AS quantiles, 10 AS min_names, 1 AS turnover_period;

CREATE OR REPLACE TEMP VIEW horizons AS
SELECT horizon FROM (VALUES (1), (5), (21)) AS listed (horizon);
