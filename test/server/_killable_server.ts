// A server in a process of its own, for the test that kills it: store and state folder are its arguments.
import process from "node:process";
import { createScoreServer } from "../../src/server/mod.ts";
import { Store } from "../../src/base/store/store.ts";

const [path = "", state = ""] = process.argv.slice(2);
const server = createScoreServer({
  store: await Store.open(path),
  accounts: [{
    id: "main",
    factors: ["ecpnd"],
    keys: [{ key: "svc_test_full_access_0001" }],
    limits: { requestsPerMinute: 1e6, requestsPerDay: 1e6 },
  }],
  state,
});
server.clock.set("2026-11-20T15:00:00Z");
process.stdout.write(`${(await server.listen()).url}\n`);
