import { expect, it } from "vitest";
import { explainOmitted, type Omitted } from "./explain-omitted.ts";

const none: Omitted = { surplus: 0, leftOut: 0, unnamed: [] };

it.each<[string, Partial<Omitted>, string]>([
  ["nothing where all are reached", {}, ""],
  [
    "one without room",
    { leftOut: 1 },
    "1 instance of deployment default/web finds no room: a balancer has at most 1000 backends, one for each port of an instance. Expose them in parts.",
  ],
  [
    "one that nobody can ask for",
    { unnamed: ["web_é"] },
    "1 instance of deployment default/web has a name that can be no host's, such as web_é: no client can ask for it. Use letters, digits and hyphens, and at most 63 between dots.",
  ],
  [
    "all that there is to say",
    { surplus: 3, leftOut: 2, unnamed: ["a b", "c d"] },
    "2003 instances are 3 more than one exposure may have: deployment default/web must be fewer, or exposed in parts. 2 instances of deployment default/web find no room: a balancer has at most 1000 backends, one for each port of an instance. Expose them in parts. 2 instances of deployment default/web have names that can be no host's, such as a b: no client can ask for them. Use letters, digits and hyphens, and at most 63 between dots.",
  ],
])("says %s", (_, omitted, message) => {
  expect(explainOmitted({ kind: "deployment", namespace: "default", name: "web" }, { ...none, ...omitted })).toBe(
    message,
  );
});
