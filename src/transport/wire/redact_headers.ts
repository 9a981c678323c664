import type { Credential } from "./credential.ts";

/** The headers of an answer without keys: a hostile service may echo what it was sent. */
export function redactHeaders(headers: Headers, { redact }: Pick<Credential, "redact">): Headers {
  let isClean = true;
  // A loop over the entries takes ten times as long: 0.1 ms of each exchange.
  headers.forEach((value) => isClean &&= redact(value) === value);
  if (isClean) return headers;
  const clean = new Headers();
  // A header takes no character beyond Latin-1, which the sign for what is left out is.
  headers.forEach((value, name) => clean.append(name, redact(value).replaceAll("…", "...")));
  return clean;
}
