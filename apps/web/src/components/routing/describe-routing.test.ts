import { describe, expect, it } from "vitest";
import { describeRouting } from "./describe-routing.ts";

const [up, down] = [{ isUp: true }, { isUp: false }];
const [offered, withdrawn] = [{ stand: "offered" as const }, { stand: "withdrawn" as const }];

describe("how routing stands", () => {
  it.each([
    [[], [], null, "Who tells routers what, and what their kernels have of it."],
    [[up, up], [offered], null, "All 2 BGP sessions are up, and all that should be announced is."],
    [[up], [offered], "demo", "The BGP session is up in demo, and all that should be announced is."],
    [[up, down], [offered], null, "1 of 2 BGP sessions is down."],
    [
      [down, down],
      [withdrawn, withdrawn, offered],
      "demo",
      "2 of 2 BGP sessions are down, and 2 of 3 announcements are withdrawn in demo.",
    ],
  ])("is said in a sentence", (lines, announcements, cluster, sentence) => {
    expect(describeRouting(lines, announcements, cluster)).toBe(sentence);
  });
});
