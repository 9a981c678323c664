import { type Factor, FACTORS } from "../../base/contract/factor.ts";
import { normal, seedOf, uniform } from "./random.ts";
import { MICRO, SCORE_SPREAD, type ScoreState, type ScoringMoment } from "./score_state.ts";
import { MARKET, PLANTED, type SessionReturns } from "./truth.ts";
import type { Member } from "./universe.ts";
import type { WorldModel } from "./world_model.ts";

const GAP_SHARE = 0.002;
const DECAY = { ecpnd: decayTable("ecpnd"), ecqdi: decayTable("ecqdi") };

/** Closes of all companies, session by session; `truth.ts` states the model of their returns. */
export class PricePath {
  readonly #model: WorldModel;
  readonly #logClose: Float64Array;
  readonly #signal: Float64Array;
  readonly #marketSeed: number;
  readonly #noiseSeeds: Int32Array;
  /** Components of the last session's returns; the arrays are reused. */
  readonly returns: SessionReturns;

  /** @param model The world */
  constructor(model: WorldModel) {
    const { members, parameters } = model;
    const count = members.length;
    this.#model = model;
    this.#logClose = Float64Array.from(members, ({ firstClose }) => Math.log(firstClose));
    this.#signal = new Float64Array(count);
    this.#marketSeed = seedOf(parameters.seed, "market");
    this.#noiseSeeds = Int32Array.from(members, ({ id }) => seedOf(id, "returns"));
    this.returns = {
      expected: new Float64Array(count),
      volatility: Float64Array.from(members, ({ volatility }) => volatility),
      isPriced: new Uint8Array(count),
    };
  }

  /** Advances every close by one session, using only scores known at the previous close. */
  advanceTo(session: number): void {
    const { calendar, members } = this.#model;
    const day = calendar.dayOf(session);
    const nextDay = calendar.dayOf(session + 1);
    const market = MARKET.drift + MARKET.volatility * normal(this.#marketSeed, session);
    const { expected, isPriced } = this.returns;
    for (let i = 0; i < members.length; i++) {
      const member = members[i]!;
      isPriced[i] = day > member.listDay && day < member.delistDay ? 1 : 0;
      if (isPriced[i] === 0) continue;
      expected[i] = member.volatility * this.#signal[i]!;
      const noise = member.volatility * normal(this.#noiseSeeds[i]!, session);
      this.#logClose[i]! += market + expected[i]! + noise;
      // Half of the companies leave the market with a loss.
      if (nextDay >= member.delistDay && uniform(member.id, 50) < 0.5) this.#logClose[i]! -= 0.35;
    }
  }

  /** The close of a company in ten-thousandths, or `null` if there is none in this session. */
  closeOf(i: number, session: number): number | null {
    const member = this.#model.members[i]!;
    const day = this.#model.calendar.dayOf(session);
    if (day < member.listDay || day >= member.delistDay) return null;
    if (isGap(member, session)) return null;
    return Math.max(1, Math.round(10_000 * Math.exp(this.#logClose[i]!)));
  }

  /** Accepts the scores at a session's close, which affect the returns of the next session. */
  observe(
    state: ScoreState,
    moment: ScoringMoment,
    scores: Readonly<Record<Factor, Int32Array>>,
  ): void {
    this.#signal.fill(0);
    for (const factor of FACTORS) {
      const { informationCoefficient } = PLANTED[factor];
      const micro = scores[factor];
      for (let i = 0; i < micro.length; i++) {
        if (micro[i]! < 0) continue;
        const z = (micro[i]! / MICRO - 0.5) / SCORE_SPREAD;
        const decay = DECAY[factor][state.ageOf(i, moment)] ?? 0;
        this.#signal[i]! += informationCoefficient * z * decay;
      }
    }
  }
}

// A gap is one to three sessions long; the return over it arrives at its end.
function isGap(member: Member, session: number): boolean {
  for (let back = 0; back < 3; back++) {
    const u = uniform(member.id, session - back, 51);
    if (u < GAP_SHARE / (1 + 2 * back)) return true;
  }
  return false;
}

function decayTable(factor: Factor): Float64Array {
  const { halfLifeSessions } = PLANTED[factor];
  return Float64Array.from({ length: 512 }, (_, age) => 0.5 ** (age / halfLifeSessions));
}
