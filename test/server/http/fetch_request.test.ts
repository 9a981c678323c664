import { describe, expect, test } from "vitest";
import { fromFetchRequest } from "../../../src/server/http/front.ts";

const URL_OF = "http://localhost/v1/scores?factor=ecpnd&ticker=A%2FB";
const read = (init: RequestInit = {}) => fromFetchRequest(new Request(URL_OF, init));
const post = (body: BodyInit, headers: Record<string, string> = {}) =>
  read({ method: "POST", body, headers });

describe("a fetch request", () => {
  test("is read as it would stand on the wire", async () => {
    const request = await read({ method: "HEAD", headers: { "X-A": "1" } });
    expect([request.method, request.target]).toEqual([
      "HEAD",
      "/v1/scores?factor=ecpnd&ticker=A%2FB",
    ]);
    expect([request.header("x-a"), request.header("x-b")]).toEqual(["1", null]);
    // Name, colon and blank, value, line end: "x-a: 1\r\n".
    expect(request.headerBytes).toBe(8);
  });

  test("without a body has none, even where its length is announced as 0", async () => {
    expect((await read()).body).toBe("none");
    expect((await post("")).body).toBe("none");
    expect((await read({ headers: { "Content-Length": "0" } })).body).toBe("none");
  });

  test("with a body has one, and one of more than 64 KiB is too large", async () => {
    expect((await post("x")).body).toBe("present");
    expect((await post("x".repeat(65_536))).body).toBe("present");
    expect((await post("x".repeat(65_537))).body).toBe("too_large");
  });

  test("has the body that its headers announce", async () => {
    expect((await read({ headers: { "Content-Length": "1" } })).body).toBe("present");
    expect((await read({ headers: { "Content-Length": "65536" } })).body).toBe("present");
    expect((await read({ headers: { "Content-Length": "65537" } })).body).toBe("too_large");
    expect((await read({ headers: { "Transfer-Encoding": "chunked" } })).body).toBe("present");
  });
});
