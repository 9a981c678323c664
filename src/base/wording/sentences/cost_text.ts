import {
  BASIS_POINTS,
  countText,
  decimalText,
  type Estimate,
  intervalText,
  percentText,
  pPhrase,
} from "../number_text.ts";
import {
  exposureText,
  type Invested,
  portfolioText,
  type WeightingName,
} from "./weighting_text.ts";
import { groupThousands } from "../group_thousands.ts";

const UNITS = [[1e12, "trillion"], [1e9, "billion"], [1e6, "million"]] as const;

/** Turnover of the portfolio in a sentence. */
export function tradedText(
  traded: number,
  { weighting, ...invested }: {
    readonly weighting: WeightingName;
  } & Invested,
): string {
  const [name, all] = [portfolioText(weighting), countText(invested.sessions, "session")];
  if (traded === 0) return `The ${name} holds nothing in ${all}.`;
  return `The ${name} has a gross exposure of ${exposureText(invested)} and trades ` +
    `${percentText(traded)} of its capital per session (both sides, first purchase included; ` +
    `${all}).`;
}

/** The break-even cost of the portfolio in a sentence; there is none if the mean return is not above zero. */
export function breakEvenText(rate: Estimate, sessions: number): string {
  const { value, low, high } = rate;
  const ends = hasEnds(rate) ? `${intervalText([low, high], 1)}; ` : "";
  if (isAbove(value)) {
    return `Its break-even cost is ${bpsText(value)} one way ` +
      `(${ends}${countText(sessions, "session")}).`;
  }
  const { interval } = breakEvenNumber(rate);
  return "It has no break-even cost: its mean gross return is not above zero " +
    `(${interval && `${interval}; `}${countText(sessions, "session")}).`;
}

/** Break-even cost of a portfolio as a key number. */
export interface BreakEvenText {
  /** `31.4 bps`, or a note that there is none; `null` without costs. */
  readonly rate: string | null;
  /** Its confidence interval, `95% CI 2.1 to 60.7`; empty if there is none. */
  readonly interval: string;
}

/** The break-even cost as a key number; there is none if the mean return is not above zero. */
export function breakEvenNumber(even: Estimate): BreakEvenText {
  const { value } = even;
  const ends = hasEnds(even) ? `${decimalText(even.low!, 1)} to ${decimalText(even.high!, 1)}` : "";
  if (isAbove(value)) return { rate: bpsText(value), interval: ends && `95% CI ${ends}` };
  return {
    rate: value === null || Number.isNaN(value) ? null : "no break-even",
    interval: ends && `95% CI of the rate ${ends} bps`,
  };
}

/** The annual return at a cost rate in a sentence. */
export function netText(
  gross: number,
  { oneWayBps, net, sessions }: {
    readonly oneWayBps: number;
    readonly net: Estimate & { readonly value: number };
    readonly sessions: number;
  },
): string {
  const ends = hasEnds(net) ? `${intervalText([net.low, net.high], percentText)}; ` : "";
  return `At ${oneWayBps} bps one way, its annual return falls from ${percentText(gross)} to ` +
    `${percentText(net.value)} (${ends}${countText(sessions, "session")}).`;
}

/** The best of several holding periods after cost in a sentence. */
export function holdingText(
  { holding, oneWayBps, net, n, compared, p }: {
    readonly holding: number;
    readonly oneWayBps: number;
    readonly net: Estimate;
    /** Number of sessions. */
    readonly n: number;
    /** Number of holding periods that were compared. */
    readonly compared: number;
    /** Adjusted p value; `null` if the sample is too short. */
    readonly p: number | null;
  },
): string {
  const { value, low, high } = net;
  const ends = [low, high].map((end) => end === null ? null : BASIS_POINTS * end);
  const adjusted = p === null ? "" : `; ${pPhrase(p)}, adjusted by Holm's method`;
  const chosen = compared === 1
    ? ""
    : ` It is the best of ${compared} holding periods, chosen after the fact, which overstates it.`;
  return `With positions held for ${countText(holding, "session")} and a cost of ` +
    `${decimalText(oneWayBps, Number.isInteger(oneWayBps) ? 0 : 1)} bps one way, the ` +
    `portfolio's mean net return is ${bpsText(BASIS_POINTS * value!)} a session ` +
    `(${intervalText([ends[0]!, ends[1]!], 1)}; ` +
    `${countText(n, "session")}${adjusted}).${chosen}`;
}

/** Basis points: `62.4 bps`. */
function bpsText(value: number): string {
  return `${decimalText(value, 1)} bps`;
}

function isAbove(value: number | null): value is number {
  return value !== null && value > 0;
}

function hasEnds({ low, high }: Estimate): boolean {
  return low !== null && high !== null && !Number.isNaN(low) && !Number.isNaN(high);
}

/** An amount of money with three significant digits: `2.25 million`, `840,000`. */
export function amountText(amount: number): string {
  const rounded = Number(amount.toPrecision(3));
  const unit = UNITS.find(([size]) => rounded >= size);
  if (unit === undefined) return groupThousands(rounded);
  const scaled = Number((rounded / unit[0]).toPrecision(3));
  return `${scaled >= 1000 ? groupThousands(scaled) : scaled} ${unit[1]}`;
}

/** Break-even capital in a sentence; there is none if the bid–ask spread alone consumes the mean return. */
export function capacityText(even: Estimate, sessions: number): string {
  const { value, low, high } = even;
  const basis = `${intervalText([low, high], amountText)}; ${countText(sessions, "session")}`;
  return value !== null && value > 0
    ? "With market impact, the portfolio's mean net return reaches zero at a capital of " +
      `${amountText(value)} (${basis}), in the currency of the volumes.`
    : `The portfolio has no capacity, because its mean return net of the spread is not above zero (${basis}).`;
}

/** Share of the sessions in which a capital stays within the participation limit, in a sentence. */
export function limitText(capital: number, share: number): string {
  return `A capital of ${amountText(capital)} stays within the participation limit in ` +
    `${percentText(share)} of the sessions with trades.`;
}
