// A relay in a process of its own, for the tests that kill it: folder, service and key are its arguments. It opens the relay
// once a line comes to its standard input, so that a process can be started before its relay is needed.
import { once } from "node:events";
import process from "node:process";
import { join } from "node:path";
import { Relay } from "../../../src/desk/relay/relay.ts";

const [folder = "", baseUrl = "", apiKey = ""] = process.argv.slice(2);
await once(process.stdin, "data");
const relay = await Relay.open({
  store: join(folder, "store"),
  state: join(folder, "state"),
  cacheDir: join(folder, "cache"),
  ...{ baseUrl, apiKey, environment: {} },
  latestAgeMs: 0,
});
process.once("SIGTERM", () => void relay.close().then(() => process.exit(0)));
process.stdout.write(`${(await relay.listen()).url}\n`);
