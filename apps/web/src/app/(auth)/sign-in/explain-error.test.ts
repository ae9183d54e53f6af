import { refusals } from "@fairlead/services";
import { describe, expect, it } from "vitest";
import { explainError } from "./explain-error.ts";

describe("explainError", () => {
  it("has a sentence of its own for every reason we refuse somebody", () => {
    const sentences = refusals.map((refusal) => explainError(refusal));
    expect(new Set(sentences).size).toBe(refusals.length);
    expect(sentences).not.toContain(explainError("whatever"));
  });

  it.each(["whatever", "<script>", "constructor", "__proto__"])("never shows what came in the address: %s", (code) => {
    expect(explainError(code)).toMatch(/^The identity provider did not answer/);
  });

  it("says nothing when nothing went wrong", () => {
    expect(explainError(undefined)).toBeNull();
  });
});
