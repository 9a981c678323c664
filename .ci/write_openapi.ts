/**
 * Writes the OpenAPI document that the server gives at `/openapi.json`, from the tables of the contract:
 * `deno task generate openapi`.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Endpoint, type EndpointId, ENDPOINTS } from "../src/base/contract/http/endpoint.ts";
import { ERROR_CODES } from "../src/base/contract/http/error_body.ts";
import { DEFAULT_FACTOR, FACTORS } from "../src/base/contract/factor.ts";
import { CONTRACT_VERSION } from "../src/base/contract/limits.ts";
import { COUNT, type JsonSchema, openApiSchemas, ref, UUID } from "./_openapi_schemas.ts";
import { MAX_TICKER_LENGTH, TICKER_PATTERN } from "../src/base/contract/identifier.ts";

type Fields = Readonly<Record<string, unknown>>;

const INSTANT = { type: "string", format: "date-time" };
const ALIASED = ["Status", "Snapshot", "Calculated-At", "Last-Checked-At", "Data-Through"];
/** Statuses that section 4 lists for every endpoint and for which section 7 has no code; the body may be anything. */
const TRANSPORT_STATUSES = ["408", "413", "414", "415", "431"];

type Method = Endpoint["methods"][number];

function header(schema: JsonSchema): Fields {
  return { required: true, schema };
}

/** Headers of every answer of the service itself (section 4.1). */
const COMMON: Fields = {
  "X-Request-Id": header(UUID),
  "Cache-Control": header({ type: "string", pattern: "^private" }),
  Vary: header({ type: "string", pattern: "(^|, ?)Authorization(,|$)" }),
};

const SUMMARY: Readonly<Record<EndpointId, string>> = {
  factors: "Factors that the account may load",
  scores: "One complete published score set",
  history: "Metadata of the historical release",
  historyFile: "The compressed historical release",
};

const DESCRIPTION: Readonly<Record<EndpointId, string>> = {
  factors: "Lists the factors for which the account has an active license (section 4.2).",
  scores:
    "Returns the latest set, the one of the last check not after an instant, or the one with an " +
    "id (section 4.3). `at` and `snapshot_id` exclude each other.",
  history: "Describes the release that the file path returns now (section 4.4).",
  historyFile:
    "Returns the file whose SHA-256 is in the metadata (sections 4.5 and 4.6). A started GET " +
    "spends a download; HEAD spends none.",
};

// Verbs, because generated code uses them as function names, and "history" is a global of every browser.
const OPERATION: Readonly<Record<EndpointId, string>> = {
  factors: "Factors",
  scores: "Scores",
  history: "HistoryMetadata",
  historyFile: "HistoryFile",
};

const TAGS = [
  { name: "factors", description: "What the account may load" },
  { name: "scores", description: "Published score sets" },
  { name: "history", description: "Historical releases: metadata and file" },
];

/** The API as an OpenAPI 3.1 document. */
export function openApiDocument(): Fields {
  return {
    openapi: "3.1.0",
    info: {
      title: "Research Factor Score API",
      version: CONTRACT_VERSION,
      summary: "Two earnings-call research factors for a US research universe, read-only",
      description:
        "Sections are those of the API document. Every answer may have more fields and headers than are " +
        "described here; clients must ignore them.",
      contact: { name: "The developers of scoreframe, whose embedded server this describes" },
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/" }],
    security: [{ bearer: [] }],
    tags: TAGS,
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
      operationId: `${method.toLowerCase()}${OPERATION[endpoint.id]}`,
      summary: SUMMARY[endpoint.id],
      description: DESCRIPTION[endpoint.id],
      tags: [endpoint.scope],
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

function responsesOf(endpoint: Endpoint, method: Method): Fields {
  const headers = successHeaders(endpoint, method);
  const success = {
    description: "The resource",
    headers: endpoint.id === "scores" ? { ...headers, ...disposition(false) } : headers,
    ...(method === "GET" ? { content: contentOf(endpoint) } : {}),
  };
  const notModified = { description: "Not modified; no body", headers };
  return {
    200: success,
    ...(isConditional(endpoint) ? { 304: notModified } : {}),
    ...errorResponses(endpoint, method),
  };
}

function errorResponses(endpoint: Endpoint, method: Method): Fields {
  const statuses = new Set(Object.values(ERROR_CODES).map(({ status }) => String(status)));
  const documented = [...statuses].map((status) => {
    const codes = Object.entries(ERROR_CODES).filter(([, entry]) =>
      String(entry.status) === status
    );
    const description = codes.map(([code]) => code).join(", ");
    const content = { "application/json": { schema: ref("Error") } };
    return [status, {
      description,
      headers: { ...errorHeaders(status), ...errorBudgets(status, { endpoint, method }) },
      ...(method === "GET" ? { content } : {}),
    }];
  });
  const transport = TRANSPORT_STATUSES.map((status) => [status, {
    description: "Transport limit; the body may be anything",
  }]);
  return Object.fromEntries([...documented, ...transport]);
}

function errorHeaders(status: string): Fields {
  if (status === "401") return { ...COMMON, "WWW-Authenticate": header({ type: "string" }) };
  if (status === "405") return { ...COMMON, Allow: header({ type: "string" }) };
  if (status !== "429" && status !== "503") return COMMON;
  return { ...COMMON, "Retry-After": header({ type: "integer", minimum: 1 }) };
}

// A refusal has the budgets if the quota was checked before it: 400 and 403 can come earlier, 404 of a path cannot.
function errorBudgets(
  status: string,
  { endpoint, method }: { readonly endpoint: Endpoint; readonly method: Method },
): Fields {
  if (status === "401" || status === "405") return {};
  return budgets(endpoint, { method, required: status === "404" });
}

function successHeaders(endpoint: Endpoint, method: Method): Fields {
  return {
    ...COMMON,
    ...budgets(endpoint, { method, required: true }),
    ...(isConditional(endpoint) ? { ETag: header({ type: "string", pattern: '^(W/)?"' }) } : {}),
    ...(endpoint.id === "scores" ? factorHeaders() : {}),
    ...(endpoint.id === "historyFile" ? disposition(true) : {}),
  };
}

/** Budgets of section 8; that of downloads is in the answer to a GET of the file, which spends it. */
function budgets(
  endpoint: Endpoint,
  { method, required }: { readonly method: Method; readonly required: boolean },
): Fields {
  const isDownload = endpoint.spendsDownload && method === "GET";
  const kinds = ["X-RateLimit", "X-DailyLimit", ...(isDownload ? ["X-DownloadLimit"] : [])];
  const parts = ["Limit", "Remaining", "Reset"];
  return Object.fromEntries(
    kinds.flatMap((kind) => parts.map((part) => [`${kind}-${part}`, { required, schema: COUNT }])),
  );
}

// For scores it is sent only with CSV.
function disposition(required: boolean): Fields {
  const schema = { type: "string", pattern: '^attachment; filename="' };
  return { "Content-Disposition": { required, schema } };
}

// One of the two families of compatibility aliases is sent, that of the selected factor.
function factorHeaders(): Fields {
  const text = { type: "string" };
  const names = ["Name", ...ALIASED].map((name) => [`X-Factor-${name}`, header(text)]);
  const aliases = FACTORS.flatMap((factor) =>
    ALIASED.map((name) => [`X-${factor.toUpperCase()}-${name}`, { schema: text }])
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

if (import.meta.main) {
  const path = join(import.meta.dirname!, "../src/base/contract/openapi.json");
  await writeFile(path, `${JSON.stringify(openApiDocument(), null, 2)}\n`);
}
