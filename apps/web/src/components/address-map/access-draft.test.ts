import type { MapAccess } from "@fairlead/domain";
import { expect, it } from "vitest";
import { describeAccess, toAccessDraft, toMapAccess } from "./access-draft.ts";

const access = (change: Partial<MapAccess> = {}): MapAccess => ({
  mode: "organization",
  keys: [],
  networks: [],
  ...change,
});

it.each<[MapAccess, string]>([
  [access(), "Whoever may read this exposure may read its map, from anywhere."],
  [access({ networks: ["10.0.0.0/8"] }), "Whoever may read this exposure may read its map, from 10.0.0.0/8 only."],
  [
    access({ mode: "keys", keys: ["key_1"] }),
    "One API key and people who may change this exposure may read its map, from anywhere.",
  ],
  [
    access({ mode: "keys", keys: ["key_1", "key_2"], networks: ["10.0.0.0/8", "2001:db8::/32"] }),
    "2 API keys and people who may change this exposure may read its map, from 10.0.0.0/8, 2001:db8::/32 only.",
  ],
])("says who may read a map, and sends it back as it was: %j", (given, sentence) => {
  expect(describeAccess(given)).toBe(sentence);
  expect(toMapAccess(toAccessDraft(given))).toEqual(given);
});

it("sends no keys that a person chose before they let the organisation in", () => {
  const draft = { mode: "organization" as const, keys: ["key_1"], networks: " 10.0.0.0/8,\n\n192.0.2.0/24 " };
  expect(toMapAccess(draft)).toEqual(access({ networks: ["10.0.0.0/8", "192.0.2.0/24"] }));
});
