/** Meaning that the name of a column states by itself. */
export type NamedRole =
  | ("date" | "ticker" | "id")
  | ("adjusted" | "plain" | "raw")
  | ("returns" | "delisting" | "factor" | "dividend");

// What stands for a close in names of vendors, in small letters and without signs.
const CLOSE =
  "closes?|closing|last|price|prices|prc|prccd|prccm|px|cls|settle|settlement|kurs|schluss|schlusskurs|cloture|cours|cierre|" +
  "chiusura|fechamento|slotkoers|slutkurs|paatoskurssi|zamkniecie|trdprc";
const MORE = "(usd|eur|gbp|jpy|local|d|m|1|x|y|right|left|duplicated\\d+|unadj|price|last)?";
const BEFORE = "(\\d+|split|div|dividend|fully|total|tr|px|f|x|eod|hist|daily|dly|d)?";
/**
 * Names of vendors and libraries: the one table of them. Whole names, or rules on the letters of a name; the first entry of a
 * role wins. A name is where the reader begins: the numbers of the file decide.
 */
const NAMES: Readonly<Record<NamedRole, readonly RegExp[]>> = {
  date: [
    ...all("date dates datadate day datum tradedate tradingday pricedate observationdate caldt"),
    ...all("dlycaldt mthcaldt timestamp datetime session time tsevent windowstart t fecha data"),
    ...all("dato tarih index"),
    /^(.*)(date|datum|caldt)$/,
  ],
  ticker: [
    ...all(
      "ticker symbol tic sym tickers symbols actsymbol tradingsymbol tickersymbol code tscode",
    ),
    ...all("ric instrument stock asset security securitiescode sccode mnemonic sid name"),
    /^(.*)(ticker|symbol)$/,
  ],
  id: [
    /^(.*)(permno|gvkey|figi|isin|cusip|sedol|wkn|permaticker|permid|orgpermid|fsymid|conid|dscd|valor)$/,
    /(code|identifier|secid|assetid|securityid|instrumentid|stockid|issueid|companyid|id)$/,
    ...all("permco lpermno kypermno entity company firm codigo kode no"),
  ],
  adjusted: [
    new RegExp(`^${BEFORE}adj(usted|u|d)?(${CLOSE})${MORE}$`),
    new RegExp(`^${BEFORE}(${CLOSE})(price)?adj(usted|d)?$`),
    ...all("adj adjcls adjustedprice totalreturnindex ri hfqclose qfqclose adjc"),
    new RegExp(`^splitadj(usted)?(${CLOSE})$`),
  ],
  plain: [
    ...all("close closes closeprice closingprice closelast last lastprice pxlast price priceclose"),
    ...all("closepx c p lastclose trdprc1 dlyclose"),
    new RegExp(`^(tr|f|px|x)?(${CLOSE})${MORE}$`),
    new RegExp(`^(${CLOSE})(${CLOSE})$`),
  ],
  raw: [
    new RegExp(`^${BEFORE}(${CLOSE})?(un|non|not|in)adj(usted|d)?(${CLOSE})?$`),
    new RegExp(
      `^(${CLOSE})(raw|nominal|astraded|traded)$|^(raw|nominal|traded|actual)(${CLOSE})$|^raw$`,
    ),
    ...all("prc prccd prccm dlyprc mthprc up"),
  ],
  returns: all(
    "ret return returns totalreturn dlyret mthret retadj dailyreturn monthlyreturn pctchg totret",
  ),
  delisting: all("dlret delret delistingreturn msedlret"),
  factor: [
    ...all("ajexdi ajexm trfd trfm cfacpr cfacshr af adjustment"),
    /factor|^(.*)fac(pr|prc|shr)$|split|coefficient|^adj(fac|f)$/,
  ],
  dividend: [
    /^(ex|cash|gross|net|unadj|ord|dly)*(dividends?|divs?|divcash|divamt|divd|distribution)(amount|amt|cash|pershare)?$/,
  ],
};
// What vendors give beside closes, and no reader of closes needs.
const OTHER_FIELD =
  /^(adj(usted)?)?(open|high|low|volume|vol|vwap|bid|ask|capitalgains|turnover|trades|transactions|count|amount|openint|openinterest|change|changes|changepercent|chg|pctchg|pctchange|prevclose|previousclose|preclose|shrout|shares|sharesoutstanding|mktcap|marketcap|pxvolume|pxopen|pxhigh|pxlow|cshtrd|cshoc)\d*$/;
const INDEX = /^(|index|rowid|row|unnamed: ?\d+|__index_level_\d+__|level_0|column_1)$/i;
const SIGNS = [".", "_", "-", " ", "|", "/", ":"];
const FIELD_ROLES = ["adjusted", "plain", "raw", "returns", "factor", "dividend"] as const;
// pandas writes the two levels of a name as a tuple of Python.
const TUPLE = /^\(\s*(['"])(.*)\1\s*,\s*(['"])(.*)\3\s*\)$/;

// Datastream names the type of a series behind its code.
const IN_BRACKETS = /^(.+)\(([A-Za-z#]+)\)$/;

function all(names: string): readonly RegExp[] {
  return names.split(" ").map((name) => new RegExp(`^${name}$`));
}

/**
 * Habits of vendors, which are told where the numbers of a file say nothing: columns by which a file of theirs is known, all of them, and what
 * its plain close is adjusted for by default.
 */
const HABITS: readonly (readonly [string, readonly string[], "none" | "splits" | "all"])[] = [
  ["Tiingo", ["adjclose", "divcash"], "none"],
  ["Alpha Vantage", ["adjustedclose", "splitcoefficient"], "none"],
  ["EODHD", ["adjustedclose"], "none"],
  ["SimFin", ["adjclose", "simfinid"], "splits"],
  ["Yahoo", ["adjclose", "close"], "splits"],
  ["yfinance", ["dividends", "stocksplits"], "all"],
  ["Nasdaq", ["closelast"], "splits"],
  ["Bloomberg", ["pxlast"], "splits"],
  ["LSEG", ["priceclose"], "splits"],
  ["LSEG", ["trdprc1"], "splits"],
  ["Databento", ["tsevent", "publisherid"], "none"],
  ["JPX", ["securitiescode"], "none"],
  ["tushare", ["tscode", "tradedate"], "none"],
  ["Polygon", ["windowstart"], "splits"],
];

/** The vendor whose files have such columns, and what their closes are adjusted for by default; `null` for others. */
export function habitOf(columns: readonly string[]) {
  const own = columns.map(letters);
  const found = HABITS.find(([, needed]) => needed.every((name) => own.includes(name)));
  return found === undefined ? null : { vendor: found[0], close: found[2] };
}

// Roles whose names a column of another role does not have.
const NAMED_FIRST: Partial<Readonly<Record<NamedRole, readonly NamedRole[]>>> = {
  plain: ["adjusted", "raw"],
  adjusted: ["raw"],
  factor: ["adjusted", "raw", "returns"],
};

/** Columns of a role, in the order of the role's names. */
export function columnsOfRole(columns: readonly string[], role: NamedRole): readonly string[] {
  const named = columns.filter((column) =>
    (role === "date" || !OTHER_FIELD.test(letters(column))) &&
    !isNamed(column, ...NAMED_FIRST[role] ?? [])
  );
  const found = NAMES[role].flatMap((name) => named.filter((column) => name.test(letters(column))));
  return [...new Set(found)];
}

function isNamed(column: string, ...roles: readonly NamedRole[]): boolean {
  return roles.some((role) => NAMES[role].some((name) => name.test(letters(column))));
}

/** `true` for the row numbers of a table, as pandas writes them. */
export function isIndexName(name: string): boolean {
  return INDEX.test(name);
}

/** `true` for a name of a bar's fields; one or two letters are a ticker. */
export function isFieldName(name: string): boolean {
  const bare = name.replace(/_duplicated_\d+$/, "");
  return letters(bare).length > 2 && (isOtherField(bare) || isNamed(bare, ...FIELD_ROLES));
}

/** `true` for a field of a bar that is no close, such as an open or a volume. */
export function isOtherField(name: string): boolean {
  return OTHER_FIELD.test(letters(name));
}

// Words that stand before a field and are no ticker.
const FIELD_WORDS =
  /^(adj|adjusted|un|unadj|unadjusted|raw|nominal|split|stock|ex|cash|last|close|closing|price|px|total|prev|previous|day|daily|factor|\d\.)$/i;

/** A column of one ticker and field. */
export type TickerField = Readonly<Record<"ticker" | "field", string>>;

/**
 * Ticker and field of each of several columns such as `AZQ.CLOSE`, `Close_AZQ` or `('Close', 'AZQ')`: the division of the names at a
 * sign by which every ticker has every field, one of which is known; `null` if there is none.
 */
export function gridOf(names: readonly string[]): readonly TickerField[] | null {
  const cut = (form: RegExp, one: number, two: number) =>
    names.map((name) => form.exec(name))
      .map((found) => found && [found[one]!.trim(), found[two]!] as const);
  const ways = names.every((name) => TUPLE.test(name)) ? [cut(TUPLE, 2, 4)] : [
    cut(IN_BRACKETS, 1, 2),
    ...SIGNS.flatMap((sign) => [
      names.map((name) => cutAt(name, name.lastIndexOf(sign))),
      names.map((name) => cutAt(name, name.indexOf(sign))),
    ]),
  ];
  const grids = ways.flatMap((parts) => {
    if (parts.length === 0 || !parts.every((part) => part !== null)) return [];
    return [
      parts.map(([ticker, field]) => ({ ticker, field })),
      parts.map(([field, ticker]) => ({ ticker, field })),
    ].filter(isGrid);
  });
  const isKnown = (field: string) =>
    isFieldName(field) || ways[0]![0] !== null && isNamed(field, ...FIELD_ROLES);
  const known = grids.filter((grid) => grid.some(({ field }) => isKnown(field)));
  const sizeOf = (grid: readonly TickerField[]) => {
    const fields = [...new Set(grid.map(({ field }) => field))];
    // The longest field leaves the ticker: Adj Close of AZQ, and not Close of AZQ Adj.
    return 1000 * fields.filter(isFieldName).length + fields.join("").length;
  };
  const [best] = known.toSorted((a, b) => sizeOf(b) - sizeOf(a));
  if (best !== undefined) return best;
  const single = names.map(fieldOfTicker);
  return single.length > 1 &&
      single.every((part) => part !== null && !FIELD_WORDS.test(part.ticker))
    ? single as readonly TickerField[]
    : null;
}

function cutAt(name: string, place: number): readonly [string, string] | null {
  const parts = [name.slice(0, place).trim(), name.slice(place + 1).trim()] as const;
  return place <= 0 || parts.includes("") ? null : parts;
}

function isGrid(parts: readonly TickerField[]): boolean {
  const tickers = new Set(parts.map(({ ticker }) => ticker));
  const fields = new Set(parts.map(({ field }) => field));
  return tickers.size * fields.size === parts.length &&
    ![...tickers].some((ticker) => FIELD_WORDS.test(ticker) || isFieldName(ticker));
}

/** Ticker and field of a column such as `AZQ.CLOSE` or `Close_AZQ`; `null` for another name. */
export function fieldOfTicker(name: string): TickerField | null {
  const pairs = SIGNS.flatMap((sign) => [name.lastIndexOf(sign), name.indexOf(sign)])
    .map((place) => cutAt(name, place)).filter((part) => part !== null);
  const found = pairs.flatMap(([one, two]) =>
    [{ ticker: one, field: two }, { ticker: two, field: one }]
      .filter(({ field }) => isFieldName(field))
  );
  // The longest field leaves the ticker: Adj Close of AZQ, and not Close of AZQ Adj.
  return found.toSorted((a, b) => b.field.length - a.field.length)[0] ?? null;
}

/** The letters and digits of a name, without accents, in lower case. */
export function letters(name: string): string {
  return name.normalize("NFD").toLowerCase().replaceAll(/[^a-z0-9]|^\d+\W/g, "");
}
