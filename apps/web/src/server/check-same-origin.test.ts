import { describe, expect, it } from "vitest";
import { checkSameOrigin } from "./check-same-origin.ts";

const own = "https://fairlead.example.com";

describe("a change with a session cookie", () => {
  it.each([
    ["from our own pages", "POST", { origin: own }, true],
    [
      "from the same host under the name of a proxy",
      "POST",
      { origin: "http://10.0.0.1:3000", host: "10.0.0.1:3000" },
      true,
    ],
    ["by a program that is not a browser", "POST", {}, true],
    ["from another site", "POST", { origin: "https://evil.example" }, false],
    ["from another site on a port of this machine", "DELETE", { origin: "https://fairlead.example.com:444" }, false],
    [
      "from our host without HTTPS",
      "POST",
      { origin: "http://fairlead.example.com", host: "fairlead.example.com" },
      false,
    ],
    ["from a sandboxed frame", "POST", { origin: "null" }, false],
    ["from another site that hides its origin", "POST", { "sec-fetch-site": "cross-site" }, false],
    ["from a sibling domain that hides its origin", "PATCH", { "sec-fetch-site": "same-site" }, false],
    ["that only reads", "GET", { origin: "https://evil.example" }, true],
  ])("%s", (_, method, headers, isTaken) => {
    const check = () => checkSameOrigin(method, new Headers(headers as Record<string, string>), own);
    if (isTaken) expect(check).not.toThrow();
    else expect(check).toThrow("only accepted from https://fairlead.example.com");
  });
});
