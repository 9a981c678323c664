import type { RegisteredNumber } from "../../frames/frame/registered_frame.ts";
import { type CalendarDate, isCalendarDate, parseInstant } from "../../base/contract/instant.ts";
import { ContractViolation } from "../../base/contract/violation.ts";
import type { LockedEntry, RegisteredPlan } from "./lock.ts";
import { countOf, factorOf, hashOf, objectOf, textOf, type Wire } from "./wire_fields.ts";

/** Reads a line of the list `registered`. */
export function parseEntry(wire: Wire, path: string): LockedEntry {
  const chained = {
    at: parseInstant(wire.at, `${path}.at`),
    name: textOf(wire.name, `${path}.name`),
    before: wire.before === null ? null : hashOf(wire.before, `${path}.before`),
    sha256: hashOf(wire.sha256, `${path}.sha256`),
  };
  if (wire.kind === "plan") {
    const loadedBefore = countOf(wire.loaded_before, `${path}.loaded_before`);
    const looksBefore = countOf(wire.looks_before, `${path}.looks_before`);
    return { ...chained, kind: "plan", plan: parsePlan(wire, path), loadedBefore, looksBefore };
  }
  const look = {
    ...chained,
    number: countOf(wire.number, `${path}.number`),
    of: hashOf(wire.of, `${path}.of`),
  };
  if (wire.kind === "result") {
    const numbers = listOf(
      wire.numbers,
      `${path}.numbers`,
      (item, at) => parseNumber(objectOf(item, at), at),
    );
    return { ...look, kind: "result", numbers };
  }
  if (wire.kind !== "look") {
    throw new ContractViolation(`${path}.kind`, "plan, look or result", wire.kind);
  }
  return {
    ...look,
    kind: "look",
    asOf: parseInstant(wire.as_of, `${path}.as_of`),
    first: dateOf(wire.first, `${path}.first`),
    last: dateOf(wire.last, `${path}.last`),
    release: wire.release === null ? null : hashOf(wire.release, `${path}.release`),
    prices: hashOf(wire.prices, `${path}.prices`),
  };
}

function parsePlan(wire: Wire, path: string): RegisteredPlan {
  if (wire.scores !== "history" && wire.scores !== "panel") {
    throw new ContractViolation(`${path}.scores`, "history or panel", wire.scores);
  }
  return {
    name: textOf(wire.name, `${path}.name`),
    question: textOf(wire.question, `${path}.question`),
    factor: factorOf(wire, path),
    scores: wire.scores,
    horizons: listOf(wire.horizons, `${path}.horizons`, countOf),
    periods: parsePeriods(wire.periods, `${path}.periods`),
    universe: parseUniverse(wire.universe, `${path}.universe`),
    prices: wire.prices === null ? null : textOf(wire.prices, `${path}.prices`),
    minNames: countOf(wire.min_names, `${path}.min_names`),
    holdOutFrom: dateOf(wire.hold_out_from, `${path}.hold_out_from`),
  };
}

function parsePeriods(value: unknown, path: string): RegisteredPlan["periods"] {
  const end = (given: unknown, at: string) => given === null ? null : dateOf(given, at);
  return Object.fromEntries(
    Object.entries(objectOf(value, path)).map(([name, given]) => {
      const at = `${path}.${name}`;
      const period = objectOf(given, at);
      return [name, { from: end(period.from, `${at}.from`), to: end(period.to, `${at}.to`) }];
    }),
  );
}

function parseUniverse(value: unknown, path: string): RegisteredPlan["universe"] {
  if (value === null) return null;
  return Array.isArray(value) ? listOf(value, path, textOf) : textOf(value, path);
}

function parseNumber(wire: Wire, path: string): RegisteredNumber {
  const number = (name: string) => {
    const value = wire[name];
    if (value === null || Number.isFinite(value)) return value as number | null;
    throw new ContractViolation(`${path}.${name}`, "a number or null", value);
  };
  return {
    sample: textOf(wire.sample, `${path}.sample`),
    horizon: countOf(wire.horizon, `${path}.horizon`),
    sessions: countOf(wire.sessions, `${path}.sessions`),
    meanIc: number("mean_ic"),
    low: number("low"),
    high: number("high"),
    p: number("p"),
  };
}

function listOf<Item>(
  value: unknown,
  path: string,
  parse: (item: unknown, path: string) => Item,
): readonly Item[] {
  if (!Array.isArray(value)) throw new ContractViolation(path, "a list", value);
  return value.map((item, i) => parse(item, `${path}[${i}]`));
}

function dateOf(value: unknown, path: string): CalendarDate {
  if (isCalendarDate(value)) return value;
  throw new ContractViolation(path, "a date", value);
}
