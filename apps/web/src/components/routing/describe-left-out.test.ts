import type { RoutesLeftOut } from "@fairlead/domain/routing";
import { expect, it } from "vitest";
import { describeLeftOut, describeNoRoute } from "./describe-left-out.ts";

const router = (nodeName: string, kept: number, known: number) => ({ nodeName, kept, known }) as RoutesLeftOut;
const one = [router("tor-1", 1_000, 1_001)];
const two = [...one, router("tor-2", 1_000, 12_000)];

it.each([
  [[], null, null, "Our routers have no routes yet."],
  [[], "203.0.113.7", null, "Our routers have no route to 203.0.113.7."],
  [
    one,
    null,
    "Stored here: 1,000 of 1,001 routes of tor-1. Look up an address or a prefix, and the router itself is queried.",
    "Our routers have no routes yet.",
  ],
  [
    one,
    "203.0.113.7",
    "Stored here: 1,000 of 1,001 routes of tor-1. For 203.0.113.7, the router itself is queried.",
    "None of the stored routes leads to 203.0.113.7.",
  ],
  [
    two,
    "203.0.113.7",
    "Stored here: 1,000 of 1,001 routes of tor-1, 1,000 of 12,000 routes of tor-2. For 203.0.113.7, these routers themselves are queried.",
    "None of the stored routes leads to 203.0.113.7.",
  ],
])("does not claim that a route is missing because it was not stored", (leftOut, lookedUp, sentence, empty) => {
  expect(describeLeftOut(leftOut, lookedUp)).toBe(sentence);
  expect(describeNoRoute(leftOut, lookedUp)).toBe(empty);
});
