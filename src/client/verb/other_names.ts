const VERBS = "factors(), scores(), history(), publications(), panel(), releases() and allowance()";
const BY_ID = 'scores("ecpnd", { snapshotId })';
const OTHERS: Readonly<Record<string, string>> = {
  score: 'scores("ecpnd")',
  getScores: 'scores("ecpnd")',
  latest: 'scores("ecpnd")',
  factor: "factors()",
  listFactors: "factors()",
  getFactors: "factors()",
  getHistory: 'history("ecpnd")',
  release: 'history("ecpnd")',
  historical: 'history("ecpnd")',
  publication: 'publications("ecpnd", { from })',
  snapshot: BY_ID,
  snapshots: BY_ID,
  panels: 'panel("ecpnd", { at })',
  at: 'scores("ecpnd", { at })',
  asOf: 'scores("ecpnd", { at })',
  quota: "allowance()",
  limits: "allowance()",
  usage: "allowance()",
  budget: "allowance()",
};
const UNSPECIFIC = ["get", "load", "fetch", "read", "query", "download", "request", "data", "list"];
const PRICES = ["prices", "price", "closes", "returns"];

/** Refuses names that a connection does not have and that a reader of other libraries tries, with the verb to call. */
export function refuseOtherNames(prototype: object): void {
  const advice: Readonly<Record<string, string>> = {
    ...Object.fromEntries(Object.entries(OTHERS).map(([name, verb]) => [name, `call ${verb}`])),
    ...Object.fromEntries(
      UNSPECIFIC.map((name) => [name, `the verbs are ${VERBS}; help() shows each`]),
    ),
    ...Object.fromEntries(
      PRICES.map((
        name,
      ) => [name, "the service has scores alone; readPrices() reads closes of your own"]),
    ),
  };
  for (const [name, instead] of Object.entries(advice)) {
    if (name in prototype) continue;
    Object.defineProperty(prototype, name, {
      get() {
        throw new TypeError(`Cannot read ${name} of a connection: it has no such verb; ${instead}`);
      },
    });
  }
}
