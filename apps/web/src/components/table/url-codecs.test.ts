import { describe, expect, it } from "vitest";
import { formatChoices, formatSort, parseChoices, parseSort } from "./url-codecs.ts";

const keys = ["name", "createdAt"] as const;
const words = ["pending", "serving", "failed"] as const;

describe("the sort in the URL", () => {
  it.each([
    ["name", { sort: "name", direction: "asc" }],
    ["-createdAt", { sort: "createdAt", direction: "desc" }],
    ["id", null],
    ["", null],
    ["--name", null],
  ])("reads %j", (text, want) => {
    expect(parseSort(text, keys)).toEqual(want);
  });

  it("round-trips", () => {
    for (const sort of keys)
      for (const direction of ["asc", "desc"] as const)
        expect(parseSort(formatSort({ sort, direction }), keys)).toEqual({ sort, direction });
  });
});

describe("a filter in the URL", () => {
  it.each([
    ["failed", ["failed"]],
    ["failed,pending", ["pending", "failed"]],
    ["failed,failed,gone", ["failed"]],
    ["gone", null],
    ["", null],
  ])("reads %j", (text, want) => {
    expect(parseChoices(text, words)).toEqual(want);
  });

  it("round-trips", () => {
    expect(parseChoices(formatChoices(["serving", "failed"]), words)).toEqual(["serving", "failed"]);
  });
});
