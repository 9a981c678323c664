// A server whose process may open few files: it prints its port, and then each line of trouble.
import { createScoreServer } from "../../../src/server/mod.ts";
import { DEFAULT_TIMES } from "../../../src/server/server_times.ts";
import { makeFixtureStore } from "../../helpers/fixture_store.ts";

const fixture = await makeFixtureStore();
const say = (line: string) => Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
const server = createScoreServer({
  store: fixture.store,
  accounts: [{ id: "client", factors: ["ecpnd"], keys: [{ key: "svc_test_crowded0123456789" }] }],
  times: { ...DEFAULT_TIMES, hearingMs: 200 },
});
const { port } = await server.listen({ onTrouble: say });
say(String(port));
Deno.addSignalListener("SIGTERM", async () => {
  await server.close();
  await fixture.remove();
  Deno.exit(0);
});
