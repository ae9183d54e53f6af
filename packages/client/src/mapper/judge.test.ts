import { expect, it } from "vitest";
import { aMap } from "../testing/maps.ts";
import { type Held, judge } from "./judge.ts";

const held = (generation: number, etag: string | null, requestNumber: number): Held => ({
  map: aMap(generation),
  etag,
  requestNumber,
});

it.each([
  ["the first", null, held(3, "a", 1), true, null, "accept"],
  ["a newer one", held(3, "a", 1), held(4, "b", 2), false, null, "accept"],
  ["a newer one from an earlier request", held(3, "a", 2), held(4, "b", 1), false, null, "accept"],
  ["the same by a weak tag", held(3, '"a"', 1), held(3, 'W/"a"', 2), true, null, "keep"],
  ["other content of the same generation", held(3, "a", 1), held(3, "b", 2), true, null, "accept"],
  ["the same generation from an earlier request", held(3, "a", 2), held(3, "b", 1), true, null, "keep"],
  ["an older one from an earlier request", held(3, "a", 2), held(2, "b", 1), true, null, "keep"],
  ["an older one", held(3, "a", 1), held(2, "b", 2), true, null, "doubt"],
  ["an older one, confirmed", held(3, "a", 1), held(2, "b", 3), true, 2, "restored"],
  ["an older one, not from a full read", held(3, "a", 1), held(2, "b", 3), false, 2, "doubt"],
  ["an older one whose request is older than the doubt", held(3, "a", 1), held(2, "b", 2), true, 2, "doubt"],
] as const)("%s", (_, before, received, isWhole, doubtedAt, verdict) => {
  expect(judge(before, received, isWhole, doubtedAt)).toBe(verdict);
});
