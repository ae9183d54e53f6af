import { describe, expect, it } from "vitest";
import type { Actor } from "../access/access.ts";
import { newId } from "../id-text.ts";
import { findMapRefusal, type MapAccess, mapAccess } from "./map-access.ts";

const named = newId("apiKey");
const key = (id: string): Actor => ({ kind: "api-key", id, name: "client", role: "viewer", scopes: ["exposure:read"] });
const person = (role: "owner" | "operator" | "viewer"): Actor => ({ kind: "user", id: "u", name: "Ada", role });
const access = (change: Partial<MapAccess> = {}): MapAccess => ({
  mode: "organization",
  keys: [],
  networks: [],
  ...change,
});
const keys = access({ mode: "keys", keys: [named] });
const office = access({ networks: ["10.0.0.0/8", "2001:db8::/32"] });

describe("access to a map", () => {
  it.each<[string, MapAccess, Actor, string | null, boolean]>([
    ["allowed for any key of the organisation", access(), key("key_other"), null, true],
    ["allowed for a listed key", keys, key(named), null, true],
    ["denied for another key", keys, key("key_other"), null, false],
    ["allowed for a user who may change the exposure", keys, person("operator"), null, true],
    ["denied for another user", keys, person("viewer"), null, false],
    ["allowed from a listed network", office, person("viewer"), "10.255.0.1", true],
    ["allowed from a listed network of the other family", office, key(named), "2001:db8:ffff::1", true],
    ["denied from an adjacent address", office, person("owner"), "11.0.0.0", false],
    ["denied for the other family", access({ networks: ["0.0.0.0/0"] }), person("owner"), "::1", false],
    ["denied for an unknown address", office, person("owner"), null, false],
    [
      "allowed for a listed key from a listed network",
      { ...office, mode: "keys", keys: [named] },
      key("key_other"),
      "10.0.0.1",
      false,
    ],
    [
      "denied for a listed key from elsewhere",
      { ...office, mode: "keys", keys: [named] },
      key(named),
      "192.0.2.1",
      false,
    ],
  ])("is %s", (_, rule, actor, address, may) => {
    expect(findMapRefusal(rule, actor, address) === null).toBe(may);
  });

  it("is denied with the reason", () => {
    expect(findMapRefusal(office, person("owner"), "192.0.2.1")).toContain("192.0.2.1 is in none of them");
    expect(findMapRefusal(keys, key("key_other"), null)).toContain("client is none of them");
  });
});

describe("the access settings", () => {
  it.each([
    [{ mode: "keys" }, ["keys"]],
    [{ mode: "organization", keys: [named] }, ["keys"]],
    [{ mode: "keys", keys: [named, named] }, ["keys"]],
    [{ mode: "keys", keys: ["exp_1"] }, ["keys", 0]],
    [{ mode: "organization", networks: ["10.0.0.1/8"] }, ["networks", 0]],
    [{ mode: "organization", networks: ["example.com"] }, ["networks", 0]],
    [{ mode: "nobody" }, ["mode"]],
  ])("are rejected at the invalid field: %j", (input, path) => {
    expect(mapAccess.safeParse(input).error?.issues[0]?.path).toEqual(path);
  });

  it("may omit lists that don't restrict access", () => {
    expect(mapAccess.parse({ mode: "organization" })).toEqual(access());
  });
});
