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

describe("who may read a map", () => {
  it.each<[string, MapAccess, Actor, string | null, boolean]>([
    ["anybody of the organisation", access(), key("key_other"), null, true],
    ["a key that is named", keys, key(named), null, true],
    ["no other key", keys, key("key_other"), null, false],
    ["a person who may change the exposure", keys, person("operator"), null, true],
    ["no other person", keys, person("viewer"), null, false],
    ["somebody in the network", office, person("viewer"), "10.255.0.1", true],
    ["somebody in the other family's", office, key(named), "2001:db8:ffff::1", true],
    ["nobody next to it", office, person("owner"), "11.0.0.0", false],
    ["nobody of the other family", access({ networks: ["0.0.0.0/0"] }), person("owner"), "::1", false],
    ["nobody whose place isn't known", office, person("owner"), null, false],
    [
      "only who is both named and there",
      { ...office, mode: "keys", keys: [named] },
      key("key_other"),
      "10.0.0.1",
      false,
    ],
    ["nobody who is named and elsewhere", { ...office, mode: "keys", keys: [named] }, key(named), "192.0.2.1", false],
  ])("is %s", (_, rule, actor, address, may) => {
    expect(findMapRefusal(rule, actor, address) === null).toBe(may);
  });

  it("is told why not, and what would help", () => {
    expect(findMapRefusal(office, person("owner"), "192.0.2.1")).toContain("192.0.2.1 is in none of them");
    expect(findMapRefusal(keys, key("key_other"), null)).toContain("client is none of them");
  });
});

describe("the settings", () => {
  it.each([
    [{ mode: "keys" }, ["keys"]],
    [{ mode: "organization", keys: [named] }, ["keys"]],
    [{ mode: "keys", keys: [named, named] }, ["keys"]],
    [{ mode: "keys", keys: ["exp_1"] }, ["keys", 0]],
    [{ mode: "organization", networks: ["10.0.0.1/8"] }, ["networks", 0]],
    [{ mode: "organization", networks: ["example.com"] }, ["networks", 0]],
    [{ mode: "nobody" }, ["mode"]],
  ])("are refused by their field: %j", (input, path) => {
    expect(mapAccess.safeParse(input).error?.issues[0]?.path).toEqual(path);
  });

  it("may leave out what they don't narrow", () => {
    expect(mapAccess.parse({ mode: "organization" })).toEqual(access());
  });
});
