import type { RoutesLeftOut } from "@fairlead/domain";
import { expect, it } from "vitest";
import { describeLeftOut, describeNoRoute } from "./describe-left-out.ts";

const router = (nodeName: string, kept: number, known: number) => ({ nodeName, kept, known }) as RoutesLeftOut;
const one = [router("tor-1", 1_000, 1_001)];
const two = [...one, router("tor-2", 1_000, 12_000)];

it.each([
  [[], null, null, "No router of ours has a route yet."],
  [[], "203.0.113.7", null, "No router of ours has a route to 203.0.113.7."],
  [
    one,
    null,
    "Kept here: 1,000 of 1,001 routes of tor-1. Look up an address or a prefix, and the router itself is asked.",
    "No router of ours has a route yet.",
  ],
  [
    one,
    "203.0.113.7",
    "Kept here: 1,000 of 1,001 routes of tor-1. For 203.0.113.7, the router itself is asked.",
    "None of the routes that are kept here leads to 203.0.113.7.",
  ],
  [
    two,
    "203.0.113.7",
    "Kept here: 1,000 of 1,001 routes of tor-1, 1,000 of 12,000 routes of tor-2. For 203.0.113.7, these routers themselves are asked.",
    "None of the routes that are kept here leads to 203.0.113.7.",
  ],
])("never says that there is no route because none was kept", (leftOut, lookedUp, sentence, empty) => {
  expect(describeLeftOut(leftOut, lookedUp)).toBe(sentence);
  expect(describeNoRoute(leftOut, lookedUp)).toBe(empty);
});
