import { describe, expect, it } from "vitest";
import { sinceLooks, sinceStart, sinceWords } from "./since.ts";

const now = Date.UTC(2026, 10, 20, 12, 3, 20);

describe("how far back a list reaches", () => {
  it("is the same a moment later, when the browser renders after the server", () => {
    for (const since of sinceWords) expect(sinceStart(since, now)).toEqual(sinceStart(since, now + 60_000));
  });

  it("is never less than requested, and at most five minutes more", () => {
    for (const since of sinceWords) {
      const reach = now - sinceStart(since, now).getTime();
      expect(reach).toBeGreaterThanOrEqual(sinceLooks[since].ms);
      expect(reach).toBeLessThan(sinceLooks[since].ms + 5 * 60_000);
    }
  });
});
