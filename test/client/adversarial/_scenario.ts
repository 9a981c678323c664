import type { ConnectOptions } from "../../../src/client/connect_options.ts";
import type { FactorApi } from "../../../src/client/factor_api.ts";
import type { FaultRule } from "../../../src/server/mod.ts";
import type { Service } from "../_service.ts";

/** What a scenario loads. */
export type Load =
  | "latest"
  | "csv"
  | "at"
  | "set"
  | "factors"
  | "history"
  | "panel";

/** What an answer of the service is changed into on its way, by a proxy that is not to be trusted. */
export type Tampering = (answer: {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly request: Request;
  /** How many answers there were before this one. */
  readonly earlier: number;
}) => Response;

/** How a scenario must end. */
export interface Failure {
  /** Class of the error. */
  readonly error:
    | "ApiError"
    | "AccessError"
    | "NotFoundError"
    | "WaitError"
    | "TransportError"
    | "ContractError"
    | "IntegrityError"
    | "AbortError"
    | "ScoreframeError";
  /** HTTP status that it carries. */
  readonly status?: number | undefined;
  /** Code that it carries. */
  readonly code?: string | null | undefined;
  /** Text that its message holds. */
  readonly says?: string | undefined;
}

/** One thing that goes wrong, and what must happen. */
export interface Scenario {
  /** Failure that is injected. */
  readonly name: string;
  /** What is loaded. */
  readonly load: Load;
  /** Faults of the server. */
  readonly faults?: readonly FaultRule[];
  /** Changes on the way. */
  readonly tampering?: Tampering;
  /** What happens before the faults begin. */
  readonly before?: (api: FactorApi, service: Service) => Promise<unknown>;
  /** Options of the connection. */
  readonly connect?: ConnectOptions;
  /** Options of the load. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** The request, counted from 1, soon after whose arrival the caller aborts. */
  readonly abortAtRequest?: number;
  /** `"truth"`: the very numbers that the service has; else the error. */
  readonly must: "truth" | Failure;
  /** Requests that reach the service while the faults last. */
  readonly requests?: number;
  /** File downloads that are started. */
  readonly downloads?: number;
  /** What the server's journal finds fault with. @default nothing */
  readonly complaints?: readonly string[];
  /** Whether the same connection gives the truth once the faults are over. @default true */
  readonly recovers?: boolean;
}

/** Scenarios by the failure that is injected, in this order. */
export const named = (scenarios: Readonly<Record<string, Omit<Scenario, "name">>>) =>
  Object.entries(scenarios).map(([name, scenario]): Scenario => ({ name, ...scenario }));

/** What goes wrong while something is loaded, what must happen, and the requests, or whatever else is seen. */
const loading = (load: Load) =>
(
  wrong: FaultRule | readonly FaultRule[] | Tampering | null,
  must: Scenario["must"],
  seen: number | Partial<Scenario> = 1,
): Omit<Scenario, "name"> => ({
  load,
  must,
  ...(typeof seen === "number" ? { requests: seen } : seen),
  ...(typeof wrong === "function"
    ? { tampering: wrong }
    : { faults: wrong === null ? [] : [wrong].flat() }),
});
export const latest = loading("latest");
export const csv = loading("csv");
export const at = loading("at");
export const set = loading("set");
export const factors = loading("factors");
export const history = loading("history");
export const panel = loading("panel");

/** The metadata are asked for, and no file. */
export const unspent = { requests: 1, downloads: 0 } as const;

/** What must happen, as the table of scenarios says it. */
export function describeOutcome({ must, requests, downloads }: Scenario): string {
  const outcome = must === "truth"
    ? "the right numbers"
    : [must.error, must.status, must.code].filter((part) => part !== undefined && part !== null)
      .join(" ");
  const counts = [
    requests === undefined ? null : `${requests} ${requests === 1 ? "request" : "requests"}`,
    downloads === undefined ? null : `${downloads} ${downloads === 1 ? "download" : "downloads"}`,
  ].filter((part) => part !== null);
  return [outcome, ...counts].join("; ");
}
