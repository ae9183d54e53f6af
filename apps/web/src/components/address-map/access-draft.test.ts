import type { MapAccess } from "@fairlead/domain/address-map";
import { expect, it } from "vitest";
import { describeAccess, toAccessDraft, toMapAccess } from "./access-draft.ts";

const access = (change: Partial<MapAccess> = {}): MapAccess => ({
  mode: "organization",
  keys: [],
  networks: [],
  ...change,
});

it.each<[MapAccess, string]>([
  [access(), "All users and keys with access to this exposure can read its map, from anywhere."],
  [
    access({ networks: ["10.0.0.0/8"] }),
    "All users and keys with access to this exposure can read its map, from 10.0.0.0/8 only.",
  ],
  [
    access({ mode: "keys", keys: ["key_1"] }),
    "One API key and users who can change this exposure can read its map, from anywhere.",
  ],
  [
    access({ mode: "keys", keys: ["key_1", "key_2"], networks: ["10.0.0.0/8", "2001:db8::/32"] }),
    "2 API keys and users who can change this exposure can read its map, from 10.0.0.0/8, 2001:db8::/32 only.",
  ],
])("describes map access, and round-trips it: %j", (given, sentence) => {
  expect(describeAccess(given)).toBe(sentence);
  expect(toMapAccess(toAccessDraft(given))).toEqual(given);
});

it("sends no keys once the whole organisation has access", () => {
  const draft = { mode: "organization" as const, keys: ["key_1"], networks: " 10.0.0.0/8,\n\n192.0.2.0/24 " };
  expect(toMapAccess(draft)).toEqual(access({ networks: ["10.0.0.0/8", "192.0.2.0/24"] }));
});
