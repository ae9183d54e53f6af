import { describe, expect, it } from "vitest";
import { csvLine } from "./csv-line.ts";

describe("a cell of a CSV line", () => {
  it.each([
    ["is written as it is", "web", "web"],
    ["is quoted with a comma, a quote or a line break", 'a,"b"\nc', '"a,""b""\nc"'],
    ["can't start a formula by =", "=HYPERLINK(A1)", "'=HYPERLINK(A1)"],
    ["can't start a formula by +", "+1", "'+1"],
    ["can't start a formula by -", "-1", "'-1"],
    ["can't start a formula by @", "@SUM(A1)", "'@SUM(A1)"],
    ["can't start a formula after a tab", "\t=1", "'\t=1"],
    ["can't start a formula after a carriage return", "\r=1", '"\'\r=1"'],
    ["can't start a formula in quotes", '=A1&","', '"\'=A1&"","""'],
    ["may contain these characters elsewhere", "a=b+c-d@e", "a=b+c-d@e"],
  ])("%s", (_, text, want) => {
    expect(csvLine([text, 1])).toBe(`${want},1\r\n`);
  });
});
