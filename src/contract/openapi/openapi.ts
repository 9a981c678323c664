import { type Endpoint, type EndpointId, ENDPOINTS } from "../http/endpoint.ts";
import { ERROR_CODES } from "../http/error_code.ts";
import { DEFAULT_FACTOR, FACTORS } from "../factor.ts";
import { CONTRACT_VERSION } from "../limits.ts";
import { type JsonSchema, openApiSchemas, ref } from "./openapi_schemas.ts";
import { MAX_TICKER_LENGTH, TICKER_PATTERN } from "../ticker.ts";

type Fields = Readonly<Record<string, unknown>>;

const ALIASED = ["Status", "Snapshot", "Calculated-At", "Last-Checked-At", "Data-Through"];
const INSTANT = { type: "string", format: "date-time" };
const UUID = { type: "string", format: "uuid" };
const COUNT = { type: "integer", minimum: 0 };
/** Statuses that section 4 lists for every endpoint and for which section 7 has no code; the body may be anything. */
const TRANSPORT_STATUSES = ["408", "413", "414", "415", "431"];

const SUMMARY: Readonly<Record<EndpointId, string>> = {
  factors: "The factors that the account may load",
  scores: "One complete published score set",
  history: "Metadata of the historical release",
  historyFile: "The compressed historical release",
};

/** The API as an OpenAPI 3.1 document, generated from the tables of this folder. */
export function openApiDocument(): Fields {
  return {
    openapi: "3.1.0",
    info: {
      title: "Research Factor Score API",
      version: CONTRACT_VERSION,
      summary: "Two earnings-call research factors for a US research universe, read-only",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/" }],
    security: [{ bearer: [] }],
    paths: Object.fromEntries(
      Object.values(ENDPOINTS).map((endpoint) => [endpoint.path, pathItem(endpoint)]),
    ),
    components: {
      securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
      schemas: openApiSchemas(),
    },
  };
}

function pathItem(endpoint: Endpoint): Fields {
  const operations = endpoint.methods.map((method) => [
    method.toLowerCase(),
    {
      operationId: method === "GET" ? endpoint.id : `${endpoint.id}Head`,
      summary: SUMMARY[endpoint.id],
      parameters: parametersOf(endpoint),
      responses: responsesOf(endpoint, method),
    },
  ]);
  return Object.fromEntries(operations);
}

function parametersOf(endpoint: Endpoint): readonly Fields[] {
  const query: Readonly<Record<string, JsonSchema>> = {
    factor: { enum: FACTORS, default: DEFAULT_FACTOR },
    ticker: { type: "string", maxLength: MAX_TICKER_LENGTH, pattern: TICKER_PATTERN.source },
    format: { enum: ["json", "csv"], default: "json" },
    at: INSTANT,
    snapshot_id: UUID,
  };
  const parameters = endpoint.parameters.map((name): Fields => ({
    name,
    in: "query",
    schema: query[name],
  }));
  if (!isConditional(endpoint)) return parameters;
  return [...parameters, { name: "If-None-Match", in: "header", schema: { type: "string" } }];
}

function responsesOf(endpoint: Endpoint, method: "GET" | "HEAD"): Fields {
  const success = {
    description: "The resource",
    headers: headersOf(endpoint),
    ...(method === "GET" ? { content: contentOf(endpoint) } : {}),
  };
  const notModified = { description: "Not modified; no body", headers: headersOf(endpoint) };
  return {
    200: success,
    ...(isConditional(endpoint) ? { 304: notModified } : {}),
    ...errorResponses(method),
  };
}

function errorResponses(method: "GET" | "HEAD"): Fields {
  const statuses = new Set(Object.values(ERROR_CODES).map(({ status }) => String(status)));
  const documented = [...statuses].map((status) => {
    const codes = Object.entries(ERROR_CODES).filter(([, entry]) =>
      String(entry.status) === status
    );
    const description = codes.map(([code]) => code).join(", ");
    const content = { "application/json": { schema: ref("Error") } };
    return [status, {
      description,
      headers: errorHeaders(status),
      ...(method === "GET" ? { content } : {}),
    }];
  });
  const transport = TRANSPORT_STATUSES.map((status) => [status, {
    description: "Transport limit; the body may be anything",
  }]);
  return Object.fromEntries([...documented, ...transport]);
}

function errorHeaders(status: string): Fields {
  const common = { "X-Request-Id": header(UUID) };
  if (status === "401") return { ...common, "WWW-Authenticate": header({ type: "string" }) };
  if (status === "405") return { ...common, Allow: header({ type: "string" }) };
  if (status !== "429" && status !== "503") return common;
  return { ...common, "Retry-After": header({ type: "integer", minimum: 1 }) };
}

function headersOf(endpoint: Endpoint): Fields {
  const common = { "X-Request-Id": header(UUID), "Cache-Control": header({ type: "string" }) };
  const budgets = ["X-RateLimit", "X-DailyLimit"].flatMap((prefix) =>
    ["Limit", "Remaining", "Reset"].map((part) => [`${prefix}-${part}`, header(COUNT)])
  );
  return {
    ...common,
    ...Object.fromEntries(budgets),
    ...(isConditional(endpoint) ? { ETag: header({ type: "string", pattern: '^(W/)?"' }) } : {}),
    ...(endpoint.id === "scores" ? factorHeaders() : {}),
  };
}

// One of the two families of compatibility aliases is sent, that of the selected factor.
function factorHeaders(): Fields {
  const names = ["Name", ...ALIASED].map((
    name,
  ) => [`X-Factor-${name}`, header({ type: "string" })]);
  const aliases = FACTORS.flatMap((factor) =>
    ALIASED.map((name) => [`X-${factor.toUpperCase()}-${name}`, { schema: { type: "string" } }])
  );
  return Object.fromEntries([...names, ...aliases]);
}

function contentOf(endpoint: Endpoint): Fields {
  const json = (schema: JsonSchema) => ({ "application/json": { schema } });
  if (endpoint.id === "factors") return json(ref("FactorList"));
  if (endpoint.id === "history") return json(ref("Release"));
  if (endpoint.id === "scores") {
    return { ...json(ref("ScoreSet")), "text/csv": { schema: { type: "string" } } };
  }
  return { "application/gzip": {} };
}

function isConditional(endpoint: Endpoint): boolean {
  return endpoint.id === "scores" || endpoint.id === "historyFile";
}

function header(schema: JsonSchema): Fields {
  return { required: true, schema };
}
