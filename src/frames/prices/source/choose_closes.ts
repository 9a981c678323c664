import { listText } from "../../../base/arguments/list_text.ts";
import type { ReadPricesOptions } from "../prices_options.ts";
import { columnsOfRole, FACTOR_ROLES, type PriceRole } from "./vendor_names.ts";

/** Columns of the closes, and what is known of them. */
export interface ChosenCloses {
  /** The column of each role that is read. */
  readonly roles: Partial<Record<PriceRole, string>>;
  /** `true` for adjusted closes, `false` for raw ones, `null` if nothing says which. */
  readonly isAdjusted: boolean | null;
  /** Columns that make the closes raw if their values differ from those without a split and dividend. */
  readonly hints: { -readonly [Role in PriceRole]?: string };
}

/** Text of the call that names a column of closes; analyses and readers name them by other options. */
export type CloseCall = (name: string, more?: string) => string;

/**
 * Chooses the column of the closes: adjusted ones if their name says so, with the raw ones beside them.
 *
 * @returns `null` if no name is known
 * @throws {TypeError} If several columns may be meant, with the calls for each of them
 */
export function chooseCloses(
  action: string,
  columns: readonly string[],
  options: Pick<ReadPricesOptions, "close" | "raw" | "adjusted" | "factor" | "returns">,
  frameCall?: CloseCall,
): ChosenCloses | null {
  const isFrame = frameCall !== undefined;
  const call = frameCall ?? ((name, more = "") => `{ close: ${JSON.stringify(name)}${more} }`);
  if (typeof options.returns === "string") {
    return { roles: { returns: options.returns }, isAdjusted: true, hints: {} };
  }
  const { close, factor } = options;
  const { plain, raws, own, candidates } = candidatesOf(columns);
  const only = (names: readonly string[]) => names.length === 1 ? names[0] : undefined;
  const chosen = close ??
    (factor === undefined ? only(own) ?? only(candidates) : raws[0] ?? only(plain));
  if (chosen === undefined) {
    if (candidates.length > 0) throw severalCloses(action, { candidates, own, raws }, call);
    if (!isFrame) refuseReturns(action, columns);
    return null;
  }
  if (factor !== undefined) {
    return { roles: { ...factor, close: chosen }, isAdjusted: true, hints: {} };
  }
  const isNamed = own.includes(chosen) ? true : raws.includes(chosen) ? false : null;
  const isAdjusted = options.adjusted ?? (options.raw === undefined ? isNamed : true);
  if (isAdjusted === null && (own.length > 0 || (isFrame && plain.length > 1))) {
    throw severalCloses(action, { candidates, own, raws }, call);
  }
  if (isAdjusted === false && options.adjusted === undefined) {
    refuseNamedRaw(action, columns, chosen);
  }
  const other = only(raws.filter((name) => name !== chosen)) ??
    only(candidates.filter((name) => name !== chosen));
  const raw = options.raw ?? other;
  const roles = { close: chosen, ...(isAdjusted === true && raw !== undefined ? { raw } : {}) };
  const hints = isAdjusted !== true || (isNamed === true && "raw" in roles) ? hintsOf(columns) : {};
  if (isAdjusted === null && other !== undefined) hints.other = other;
  return { roles, isAdjusted, hints };
}

function refuseReturns(action: string, columns: readonly string[]): void {
  const [found] = columnsOfRole(columns, "returns");
  if (found !== undefined) {
    throw onlyOther(action, "a column of closes", [`returns: ${JSON.stringify(found)}`]);
  }
}

/** Refuses closes whose name says that they are raw, if the columns beside them give their returns. */
function refuseNamedRaw(action: string, columns: readonly string[], chosen: string): void {
  const factors = Object.entries(hintsOf(columns)).map(([role, name]) =>
    `${role}: ${JSON.stringify(name)}`
  );
  const ways = [
    ...columnsOfRole(columns, "returns").slice(0, 1).map((name) =>
      `returns: ${JSON.stringify(name)}`
    ),
    ...(factors.length === 0 ? [] : [`factor: { ${factors.join(", ")} }`]),
  ];
  if (ways.length > 0) {
    throw onlyOther(action, `adjusted closes, not only the raw ones of ${chosen},`, ways);
  }
}

function onlyOther(action: string, expected: string, ways: readonly string[]): TypeError {
  return new TypeError(
    `Cannot ${action}: expected ${expected} for returns, got what gives them; use ` +
      `${ways.join(" or ")}`,
  );
}

/** Columns of factors, by what they are. */
export function hintsOf(columns: readonly string[]): { -readonly [Role in PriceRole]?: string } {
  return Object.fromEntries(FACTOR_ROLES.flatMap((role) => {
    const [found] = columnsOfRole(columns, role);
    return found === undefined ? [] : [[role, found]];
  }));
}

function candidatesOf(columns: readonly string[]) {
  const [plain, raws] = [columnsOfRole(columns, "plain"), columnsOfRole(columns, "raw")];
  const isOwn = columns.includes("close") && columns.includes("raw");
  const own = isOwn ? ["close"] : columnsOfRole(columns, "adjusted");
  return { plain, raws, own, candidates: [...new Set([...own, ...plain, ...raws])] };
}

type Candidates = ReturnType<typeof candidatesOf>;

function severalCloses(
  action: string,
  { candidates, own, raws }: Omit<Candidates, "plain">,
  call: CloseCall,
): TypeError {
  const known = candidates.map((name) => JSON.stringify(name)).join(" and ");
  const plain = candidates.filter((name) => !own.includes(name) && !raws.includes(name));
  const advice = own.length > 0
    ? own.map((name) => call(name)).join(" or ") + " for the adjusted ones, which returns need"
    : plain.length === 1 && raws.length === 1
    ? `${call(plain[0]!, `, raw: ${JSON.stringify(raws[0])}`)} if ${listText(plain)} is adjusted ` +
      `for splits and dividends, or ${call(raws[0]!, ", adjusted: false")} if no column is`
    : `${candidates.map((name) => call(name)).join(" or ")}, the one that is adjusted for splits ` +
      "and dividends";
  return new TypeError(
    `Cannot ${action}: expected one column of closes, got ${known}; use ${advice}`,
  );
}

/**
 * Refuses closes of a frame that may be raw: beside adjusted ones, or by their mark.
 *
 * @param call Text of the option that names a column
 * @throws {TypeError} If the frame has several columns of closes, with their names
 */
export function refuseTwoCloses(action: string, columns: readonly string[], call: CloseCall): void {
  if (!columns.includes("close") || columns.includes("raw")) return;
  chooseCloses(action, columns, { close: "close" }, call);
}
