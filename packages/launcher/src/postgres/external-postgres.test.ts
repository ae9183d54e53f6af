import { describe, expect, it } from "vitest";
import { tooOld } from "./external-postgres.ts";

describe("an external PostgreSQL", () => {
  it("is accepted from version 15 on", () => {
    expect(tooOld({ number: 150_000, text: "15.0" })).toBeNull();
    expect(tooOld({ number: 180_004, text: "18.4" })).toBeNull();
  });

  it("is rejected below, with its version and the required one", () => {
    expect(tooOld({ number: 140_018, text: "14.18" })).toBe(
      "version 14.18, but Fairlead needs 15 or newer. Upgrade it, or unset DATABASE_URL to use the embedded one.",
    );
  });
});
