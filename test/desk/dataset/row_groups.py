"""Prints the smallest and largest close of each row group, as its statistics say: row_groups.py FILE."""

import json
import sys

import pyarrow.parquet

file = pyarrow.parquet.ParquetFile(sys.argv[1])
place = file.schema.names.index("close")
groups = [file.metadata.row_group(i).column(place).statistics for i in range(file.num_row_groups)]
print(json.dumps([[group.min, group.max] for group in groups]))
