import { ENDPOINTS } from "../../base/contract/http/endpoint.ts";
import type { ExchangeRequest } from "./exchange.ts";

/** True if starting the request spends a download: a GET of the file, not its HEAD (section 8). */
export function isFileGet(request: Pick<ExchangeRequest, "method" | "endpoint">): boolean {
  return request.method === "GET" && ENDPOINTS[request.endpoint].spendsDownload;
}
