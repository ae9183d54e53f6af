import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { LongText, startOf } from "./long-text.tsx";

describe("startOf", () => {
  it.each([
    ["all of a short text", "no such interface", "no such interface"],
    ["all of a text of the greatest length", "x".repeat(320), "x".repeat(320)],
    ["whole words", `${"word ".repeat(64)}end`, "word ".repeat(64).trimEnd()],
    ["the first characters of a text without spaces", "x".repeat(2_000), "x".repeat(320)],
    ["whole characters", `${"x".repeat(319)}😀${"x".repeat(100)}`, "x".repeat(319)],
  ])("is %s", (_, text, want) => {
    expect(startOf(text)).toBe(want);
  });
});

describe("LongText", () => {
  it("has a button only if it leaves something out", () => {
    expect(renderToStaticMarkup(<LongText text="no such interface" />)).not.toContain("button");
    const long = renderToStaticMarkup(<LongText text={"x".repeat(2_000)} />);
    expect(long).toContain("Show all");
    expect(long).not.toContain("x".repeat(321));
  });
});
