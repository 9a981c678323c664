// @heavy: Schemathesis and programs in other languages
import { spawn } from "node:child_process";
import { expect, test } from "vitest";
import { KEY, useServers } from "./_harness.ts";

const { start } = useServers();

test("curl, sha256sum, gzip and awk agree with what the server says", async () => {
  const { server } = await start("in process");
  const { url } = await server.listen();
  const run = (command: string) =>
    bash(
      `curl() { command curl -sS -H 'Authorization: Bearer ${KEY}' "$@"; }; U=${url}; ${command}`,
    );
  const metadata = JSON.parse(await run('curl "$U/v1/scores/history"'));
  const file = `curl "$U${metadata.download}"`;
  expect(await run(`${file} | sha256sum`)).toBe(`${metadata.download_sha256}  -`);
  expect(await run(`${file} | gzip -t && echo sound`)).toBe("sound");
  const counts = await run(`${file} | zcat | awk -F, 'NR>1{n++; if($3=="")m++} END{print n, m}'`);
  expect(counts).toBe(`${metadata.rows} ${metadata.missing_rows}`);
  const csv = `curl "$U/v1/scores?format=csv"`;
  expect(await run(`${csv} | awk -F, 'NR>1{print $1}' | LC_ALL=C sort -c && echo sorted`)).toBe(
    "sorted",
  );
  const head = await run('curl -I "$U/v1/scores/history.csv.gz"');
  expect(head).toMatch(/^HTTP\/1\.1 200 OK/);
  expect(Number(/^content-length: (\d+)/im.exec(head)?.[1])).toBe(
    Number(await run(`${file} | wc -c`)),
  );
  const status = (command: string) => run(`${command} -o /dev/null -w '%{http_code}'`);
  const etag = /^etag: (.*?)\r?$/im.exec(head)?.[1];
  expect(await status(`curl -H 'If-None-Match: ${etag}' "$U/v1/scores/history.csv.gz"`)).toBe(
    "304",
  );
  expect(await status('curl --http1.0 "$U/v1/scores"')).toBe("200");
  expect(await status('curl -X DELETE "$U/v1/scores"')).toBe("405");
  expect(await status('curl -X GET -d body "$U/v1/scores"')).toBe("400");
  expect(
    await status(
      'head -c 70000 /dev/zero | curl -H "Transfer-Encoding: chunked" --data-binary @- "$U/v1/scores"',
    ),
  )
    .toBe("413");
});

function bash(script: string): Promise<string> {
  const child = spawn("bash", ["-c", script], { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.on("data", (data) => output += data);
  return new Promise((resolve) => child.on("close", () => resolve(output.trim())));
}
