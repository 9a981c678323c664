import { type Factor, FACTORS, scoreNameOf } from "../src/base/contract/factor.ts";
import { STATUS_PRIORITY } from "../src/base/contract/scores/status.ts";

/** A JSON Schema of draft 2020-12, which OpenAPI 3.1 uses. */
export type JsonSchema = Readonly<Record<string, unknown>>;

const INSTANT = { type: "string", format: "date-time" };
const DATE = { type: "string", format: "date" };
/** Schema of a UUID. */
export const UUID = { type: "string", format: "uuid" };
const TEXT = { type: "string", minLength: 1 };
/** Schema of a count. */
export const COUNT = { type: "integer", minimum: 0 };
const COUNT_OR_NULL = { type: ["integer", "null"], minimum: 0 };
const SHA256 = { type: "string", pattern: "^[0-9a-f]{64}$" };

/** The schemas of section 2 and of the error object of section 7, by name. Unknown fields are allowed everywhere. */
export function openApiSchemas(): Readonly<Record<string, JsonSchema>> {
  return {
    FactorEntry: factorEntry(),
    FactorList: object({ factors: { type: "array", items: ref("FactorEntry") } }),
    ...Object.fromEntries(FACTORS.map((factor) => [scoreSetName(factor), scoreSet(factor)])),
    ScoreSet: { oneOf: FACTORS.map((factor) => ref(scoreSetName(factor))) },
    Release: release(),
    Error: errorObject(),
  };
}

/** A reference to a schema of the document. */
export function ref(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

function scoreSetName(factor: Factor): string {
  return factor === "ecpnd" ? "EcpndScoreSet" : "EcqdiScoreSet";
}

function factorEntry(): JsonSchema {
  return object({
    factor: { enum: FACTORS },
    score_name: { enum: FACTORS.map(scoreNameOf) },
    factor_version: { type: "string", pattern: "^(ecpnd|ecqdi)-v[0-9]+$" },
    scores: { type: "string", description: "Relative path of the scores, with factor=<factor>" },
    history: {
      type: "string",
      description: "Relative path of the history metadata, with factor=<factor>",
    },
  });
}

function scoreSet(factor: Factor): JsonSchema {
  return object({
    factor: { const: factor },
    score_name: { const: scoreNameOf(factor) },
    universe: TEXT,
    factor_version: TEXT,
    snapshot_id: described(UUID, "Identifies the published numerical score set"),
    calculated_at: described(INSTANT, "Publication time of the numerical set"),
    last_checked_at: described(INSTANT, "Completion time of the selected check"),
    data_through: described(INSTANT, "Observation cutoff that the selected check examined"),
    status: described(TEXT, `One of ${STATUS_PRIORITY.join(", ")}; treat any other conservatively`),
    prices_through: described(DATE, "Latest stored benchmark price session"),
    coverage: coverage(factor),
    scores: { type: "array", items: row(factor) },
  });
}

function coverage(factor: Factor): JsonSchema {
  return object({
    tickers: COUNT,
    price_tickers_current: COUNT_OR_NULL,
    price_tickers_tracked: COUNT_OR_NULL,
    pending_calls: COUNT,
    failed_calls: COUNT,
    ...(factor === "ecqdi" ? { scored_tickers: COUNT, pending_factor_calls: COUNT } : {}),
  });
}

function row(factor: Factor): JsonSchema {
  const score = { type: ["number", "null"], minimum: 0, maximum: 1 };
  return {
    ...object({ ticker: TEXT, [scoreNameOf(factor)]: score }),
    additionalProperties: false,
  };
}

// Names and types are not shown in the API document; those of the embedded server are described here.
function release(): JsonSchema {
  const fields = {
    first_session: DATE,
    last_session: DATE,
    window_years: { type: "number", minimum: 0 },
    window_start: DATE,
    window_end: DATE,
    sessions: COUNT,
    tickers: COUNT,
    rows: COUNT,
    scored_rows: COUNT,
    missing_rows: COUNT,
    availability: TEXT,
    universe: TEXT,
    download: { type: "string", pattern: "^/v1/scores/" },
    download_sha256: SHA256,
    source_sha256: SHA256,
  };
  const optional = { factor: { enum: FACTORS }, factor_version: TEXT };
  const schema = object(fields);
  return { ...schema, properties: { ...optional, ...fields } };
}

function errorObject(): JsonSchema {
  const fields = {
    error: described(TEXT, "Machine-readable code"),
    message: { type: "string", description: "Readable text; branch on code or status" },
    request_id: described(UUID, "Same value as X-Request-Id"),
    retryable: { type: "boolean" },
  };
  const optional = {
    factor: { enum: FACTORS, description: "The refused factor" },
    retry_after_seconds: { type: "integer", minimum: 1 },
    details: { type: "object" },
  };
  return { ...object(fields), properties: { ...fields, ...optional } };
}

function object(properties: Readonly<Record<string, unknown>>): JsonSchema {
  return { type: "object", required: Object.keys(properties), properties };
}

function described(schema: JsonSchema, description: string): JsonSchema {
  return { ...schema, description };
}
