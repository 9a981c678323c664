import { LIMITS } from "../limits.ts";

/** Name of an endpoint of the API. */
export type EndpointId = "factors" | "scores" | "history" | "historyFile";

/** A permission of a key; together they cover the endpoints. */
export type Scope = "factors" | "scores" | "history";

/** All scopes. */
export const SCOPES: readonly Scope[] = ["factors", "scores", "history"];

/** One path of the API document. */
export interface Endpoint {
  /** Name of the endpoint. */
  readonly id: EndpointId;
  /** Path, without the base address. */
  readonly path: string;
  /** Supported methods, in the order of the `Allow` header. */
  readonly methods: readonly ("GET" | "HEAD")[];
  /** Its query parameters. */
  readonly parameters: readonly string[];
  /** Scope that a key needs for it. */
  readonly scope: Scope;
  /** True if a started GET spends a download allowance (section 8). */
  readonly spendsDownload: boolean;
  /** Server-side deadline of one request. */
  readonly deadlineMs: number;
}

const JSON_ENDPOINT = {
  methods: ["GET"],
  spendsDownload: false,
  deadlineMs: LIMITS.requestDeadlineMs,
} as const;

/** The four paths of section 4; the file path answers GET and HEAD. */
export const ENDPOINTS: Readonly<Record<EndpointId, Endpoint>> = {
  factors: {
    ...JSON_ENDPOINT,
    id: "factors",
    scope: "factors",
    path: "/v1/factors",
    parameters: [],
  },
  scores: {
    ...JSON_ENDPOINT,
    id: "scores",
    scope: "scores",
    path: "/v1/scores",
    parameters: ["factor", "ticker", "format", "at", "snapshot_id"],
  },
  history: {
    ...JSON_ENDPOINT,
    id: "history",
    scope: "history",
    path: "/v1/scores/history",
    parameters: ["factor"],
  },
  historyFile: {
    id: "historyFile",
    path: "/v1/scores/history.csv.gz",
    methods: ["GET", "HEAD"],
    parameters: ["factor"],
    scope: "history",
    spendsDownload: true,
    deadlineMs: LIMITS.transferDeadlineMs,
  },
};

/** The endpoint of a path, or `undefined` for an unknown route; paths are case-sensitive. */
export function endpointOf(path: string): Endpoint | undefined {
  return Object.values(ENDPOINTS).find((endpoint) => endpoint.path === path);
}
