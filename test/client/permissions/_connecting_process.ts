// A notebook without some permission: connects, asks for the factors, and says what came, what waited and what is left.
import { connect } from "../../../mod.ts";

const [baseUrl = "", folder = ""] = Deno.args;
let waits = 0;
const sleep = () => {
  waits++;
  return Promise.resolve();
};
const said = await run().catch((error: Error) => `${error.name}: ${error.message}`);
await Deno.stdout.write(new TextEncoder().encode(JSON.stringify({ said, waits })));

async function run(): Promise<string> {
  await using api = await connect({
    apiKey: "svc_test_permissions0123",
    baseUrl,
    store: `${folder}/store`,
    cacheDir: `${folder}/cache`,
    sleep,
    environment: {},
  });
  const said = await api.factors().then(
    () => "loaded",
    (error: Error) => `${error.name}: ${error.message}`,
  );
  const { remaining } = (await api.allowance()).day;
  return `${said} | ${remaining}`;
}
