const VERBS = "factors(), scores(), history(), publications(), panel(), releases() and allowance()";
const NAMES_BY_ADVICE: Readonly<Record<string, string>> = {
  'call scores("ecpnd")': "score getScores latest",
  'call scores("ecpnd", { snapshotId })': "snapshot snapshots",
  'call scores("ecpnd", { at })': "at asOf",
  "call factors()": "factor listFactors getFactors",
  'call history("ecpnd")': "getHistory release historical",
  'call publications("ecpnd", { from })': "publication",
  'call panel("ecpnd", { at })': "panels",
  "call allowance()": "quota limits usage budget",
  [`the verbs are ${VERBS}; help() shows each`]:
    "get load fetch read query download request data list",
  "the service has scores alone; readPrices() reads closes of your own":
    "prices price closes returns",
};

/** Refuses names that a connection does not have and that a reader of other libraries tries, with the verb to call. */
export function refuseOtherNames(prototype: object): void {
  for (const [advice, names] of Object.entries(NAMES_BY_ADVICE)) {
    for (const name of names.split(" ").filter((own) => !(own in prototype))) {
      const get = () => {
        throw new TypeError(`Cannot read ${name} of a connection: it has no such verb; ${advice}`);
      };
      Object.defineProperty(prototype, name, { get });
    }
  }
}
