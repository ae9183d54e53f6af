import { expect, it } from "vitest";
import { curlExample } from "./curl-example.ts";

it("reads something that the key is allowed to read", () => {
  expect(curlExample("http://127.0.0.1:3000", "fl_x", ["node:read"])).toBe(
    'curl -H "Authorization: Bearer fl_x" http://127.0.0.1:3000/api/v1/nodes',
  );
});

it("reads the session if the key can't read anything else", () => {
  expect(curlExample("https://fairlead.example", "fl_x", ["address-pool:write"])).toContain("/api/v1/session");
});
