/** Objects of Polars whose users may know pandas, or Polars in Python. */
export type FrameKind = "frame" | "lazy frame" | "column" | "expression";

const NO_INDEX = "frames have no index: rows have an order, and a column has the key";
const BY_EXPRESSION = 'frame.withColumns(pl.col("x").mul(2).alias("y"))';

const PLOT = "plot(frame, …) of scoreframe/chart";

/**
 * The call to write instead of a name of pandas or of Polars in Python, by the kind of the object. Names by which programs tell objects
 * apart, such as `size` and `values`, are left out.
 */
export const FOREIGN: Readonly<Record<FrameKind, Readonly<Record<string, string>>>> = {
  frame: {
    length: "frame.height",
    empty: "frame.height === 0",
    T: "frame.transpose()",
    ...each("index set_index reset_index reindex", NO_INDEX),
    iloc: "frame.row(0), frame.slice(0, 5) or frame.head(5)",
    iat: "frame.getColumn(name).get(0)",
    loc: 'frame.filter(pl.col("ticker").eq(pl.lit("A"))), and frame.select(names) for columns',
    info: "frame.schema, and frame.nullCount()",
    merge: 'left.join(right, { on: ["ticker"], how: "left" })',
    append: "frame.vstack(other), or pl.concat([frame, other])",
    sort_values: 'frame.sort({ by: "x", descending: true })',
    orderBy: "frame.sort(...)",
    nlargest: 'frame.sort({ by: "x", descending: true }).head(5)',
    nsmallest: 'frame.sort("x").head(5)',
    to_csv: 'frame.writeCSV("x.csv")',
    to_parquet: 'frame.writeParquet("x.parquet")',
    ...each(
      "to_dict toDict iterrows itertuples items",
      "frame.toRecords(), or frame.rows() for arrays",
    ),
    to_numpy: "frame.getColumn(name).toArray()",
    to_pandas: 'frame.writeParquet("x.parquet")',
    ...each("plot hist", PLOT),
    dropna: "frame.dropNulls()",
    fillna: "frame.fillNull(...)",
    ...each("isna isnull", 'frame.nullCount(), or frame.filter(pl.col("x").isNull())'),
    notnull: 'frame.filter(pl.col("x").isNotNull())',
    ...each("apply applymap assign eval", BY_EXPRESSION),
    query: 'frame.filter(pl.col("x").gt(0.5))',
    astype: 'frame.withColumns(pl.col("x").cast(pl.Float64))',
    pivot_table: 'frame.groupBy(["a", "b"]).agg(pl.col("x").mean())',
    melt: "frame.unpivot(...)",
    corr: 'frame.select(pl.pearsonCorr("a", "b"))',
    ...each("value_counts mode", 'frame.groupBy("x").len()'),
    drop_duplicates: "frame.unique()",
    resample: "frame.groupByDynamic(...)",
    rolling: 'frame.withColumns(pl.col("x").rollingMean({ windowSize: 21 }))',
    pct_change: 'frame.withColumns(pl.col("x").div(pl.col("x").shift(1)).sub(1).over("ticker"))',
    diff: 'frame.withColumns(pl.col("x").diff().over("ticker"))',
    cumsum: 'frame.withColumns(pl.col("x").cumSum().over("ticker"))',
  },
  "lazy frame": each(
    "height length shape rows row toRecords getColumn writeCSV writeParquet to_csv to_parquet iloc describe",
    "a lazy frame has no rows yet; (await frame.collect()) gives the frame",
  ),
  column: {
    iloc: "column.get(0), or column.slice(0, 5)",
    loc: "column.get(0)",
    apply: "an expression: " + BY_EXPRESSION,
    astype: "column.cast(pl.Float64)",
    ...each("isna isnull", "column.isNull()"),
    notnull: "column.isNotNull()",
    dropna: "column.dropNulls()",
    fillna: "column.fillNull(...)",
    sort_values: "column.sort()",
    ...each("tolist to_list", "column.toArray()"),
    std: "frame.select(pl.col(name).std())",
    var: "frame.select(pl.col(name).var())",
    ...each("hist plot", PLOT),
    pct_change: "column.div(column.shift(1)).sub(1)",
  },
  expression: {
    between: 'pl.col("x").gtEq(0.1).and(pl.col("x").ltEq(0.5))',
    ...each("isna isnull", "pl.col(name).isNull()"),
    fillna: "pl.col(name).fillNull(0)",
    astype: "pl.col(name).cast(pl.Float64)",
    date: "pl.col(name).dt.year()",
    ne: "pl.col(name).neq(0)",
    ge: "pl.col(name).gtEq(0)",
    le: "pl.col(name).ltEq(0)",
    pct_change: "pl.col(name).div(pl.col(name).shift(1)).sub(1)",
  },
};

function each(names: string, instead: string): Readonly<Record<string, string>> {
  return Object.fromEntries(names.split(" ").map((name) => [name, instead]));
}

const prototypes = new Map<FrameKind, object>();

/**
 * Refuses names of pandas and of Polars in Python on an object of Polars, with the call to write instead: JavaScript would read
 * `undefined`, and call it "not a function". Names of the object itself, and those of a frame's columns, come first.
 *
 * @param made An object as Polars makes it
 */
export function refuseForeignNames(made: object, kind: FrameKind): void {
  const prototype = prototypes.get(kind) ?? makePrototype(made, kind);
  prototypes.set(kind, prototype);
  Object.setPrototypeOf(made, prototype);
}

function makePrototype(made: object, kind: FrameKind): object {
  const own = namesOf(made, kind);
  const spelled = own.filter((name) => name !== asInPython(name)).map((name) => [
    asInPython(name),
    `${kind.split(" ").at(-1)}.${name}(...)`,
  ]);
  const advice: Readonly<Record<string, string>> = {
    ...Object.fromEntries(spelled),
    groupby: "frame.groupBy(...)",
    ...FOREIGN[kind],
  };
  const prototype = Object.create(Object.getPrototypeOf(made)) as object;
  for (const [name, instead] of Object.entries(advice)) {
    if (own.includes(name)) continue;
    Object.defineProperty(prototype, name, {
      configurable: true,
      get() {
        const what = `${kind === "expression" ? "an" : "a"} ${kind}`;
        const isSentence = instead.includes(";") || instead === NO_INDEX;
        throw new TypeError(
          `Cannot read ${name} of ${what}: it is a name of pandas or of Polars in Python; ` +
            (isSentence ? instead : `write ${instead}`),
        );
      },
      // A copy of the object may have such a name.
      set(this: object, value: unknown) {
        Object.defineProperty(this, name, { value, configurable: true, writable: true });
      },
    });
  }
  return prototype;
}

// A frame is a proxy that lists its columns instead. A lazy frame is not read: its getters open the files and addresses of its scan.
function namesOf(made: object, kind: FrameKind): readonly string[] {
  const known = Object.values(FOREIGN).flatMap((names) => Object.keys(names));
  const all = [...new Set([...Object.getOwnPropertyNames(made), ...METHODS, ...known])];
  return kind === "frame"
    ? all.filter((name) => (made as Record<string, unknown>)[name] !== undefined)
    : all.filter((name) => name in made);
}

const METHODS =
  ("groupBy withColumn withColumns dropNulls fillNull nullCount getColumn writeCSV writeParquet " +
    "writeJSON toRecords isDuplicated isUnique nUnique joinAsof withRowIndex partitionBy fillNan " +
    "isNull isNotNull isIn gtEq ltEq valueCounts cumSum cumMax cumMin cumProd rollingMean rollingStd " +
    "toArray groupByDynamic pearsonCorr toSeries mapRows vstack hstack").split(" ");

function asInPython(name: string): string {
  return name.replace(/CSV|JSON|IPC/, (word) => `_${word.toLowerCase()}`)
    .replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
