/**
 * The content security policy of a page as a meta tag: nothing is loaded or sent, and without scripts none runs.
 *
 * @param hasScripts True if the page draws its chart by Vega, which compiles expressions
 */
export function contentPolicy(hasScripts = false): string {
  const scripts = hasScripts ? " script-src 'unsafe-inline' 'unsafe-eval';" : "";
  const policy =
    `default-src 'none';${scripts} style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'`;
  return `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
}
