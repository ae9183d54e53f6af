import { refusals } from "@fairlead/services";
import { describe, expect, it } from "vitest";
import { explainError } from "./explain-error.ts";

describe("explainError", () => {
  it("has a distinct message for every rejection", () => {
    const sentences = refusals.map((refusal) => explainError(refusal));
    expect(new Set(sentences).size).toBe(refusals.length);
    expect(sentences).not.toContain(explainError("whatever"));
  });

  it.each(["whatever", "<script>", "constructor", "__proto__"])("never shows the code from the URL: %s", (code) => {
    expect(explainError(code)).toMatch(/^Unexpected response from the identity provider/);
  });

  it("returns nothing without an error", () => {
    expect(explainError(undefined)).toBeNull();
  });
});
