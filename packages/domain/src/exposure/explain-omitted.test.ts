import { expect, it } from "vitest";
import { explainOmitted, type Omitted } from "./explain-omitted.ts";

const none: Omitted = { surplus: 0, leftOut: 0, unnamed: [] };

it.each<[string, Partial<Omitted>, string]>([
  ["nothing when all are reached", {}, ""],
  [
    "one beyond the limit of backends",
    { leftOut: 1 },
    "1 instance of deployment default/web is left out: a balancer has at most 1000 backends, one for each port of an instance. Split them into several exposures.",
  ],
  [
    "one without a valid name",
    { unnamed: ["web_é"] },
    "1 instance of deployment default/web has a name that isn't a valid host name, such as web_é: no client can request it. Use letters, digits and hyphens, and at most 63 between dots.",
  ],
  [
    "all reasons together",
    { surplus: 3, leftOut: 2, unnamed: ["a b", "c d"] },
    "2003 instances are 3 more than one exposure may have: scale down deployment default/web, or split it into several exposures. 2 instances of deployment default/web are left out: a balancer has at most 1000 backends, one for each port of an instance. Split them into several exposures. 2 instances of deployment default/web have names that aren't valid host names, such as a b: no client can request them. Use letters, digits and hyphens, and at most 63 between dots.",
  ],
])("explains %s", (_, omitted, message) => {
  expect(explainOmitted({ kind: "deployment", namespace: "default", name: "web" }, { ...none, ...omitted })).toBe(
    message,
  );
});
