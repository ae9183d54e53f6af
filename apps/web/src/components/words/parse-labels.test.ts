import { describe, expect, it } from "vitest";
import { formatLabels, parseLabels } from "./parse-labels.ts";

describe("labels as text", () => {
  it.each([
    ["nothing", "", { labels: {} }],
    ["lines with space about them", " env = prod \n\n rack=3 ", { labels: { env: "prod", rack: "3" } }],
    ["an empty value", "spare=", { labels: { spare: "" } }],
    ["a value with an equals sign", "query=a=b", { labels: { query: "a=b" } }],
    ["a line without one", "prod", { problem: "Invalid label “prod”. Write name=value, one per line." }],
    ["no name", "=prod", { problem: "Invalid label “=prod”. Write name=value, one per line." }],
    ["a name twice", "a=1\na=2", { problem: "Duplicate label a." }],
  ])("reads %s", (_, text, want) => {
    expect(parseLabels(text)).toEqual(want);
  });

  it("round-trips", () => {
    const labels = { env: "prod", rack: "3" };
    expect(parseLabels(formatLabels(labels))).toEqual({ labels });
  });
});
