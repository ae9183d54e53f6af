import { expect, it } from "vitest";
import { knownBrowserSeconds, newKnownBrowser, openKnownBrowser, sealKnownBrowser } from "./known-browser.ts";

const secret = "only-for-tests-".repeat(3);
const now = new Date();
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);
const known = newKnownBrowser("usr_1", "mark");
const sealed = sealKnownBrowser(secret, known, now);

it("is known for 90 days, and its text reveals nothing", () => {
  expect(openKnownBrowser(secret, sealed, later(knownBrowserSeconds - 1))).toEqual(known);
  expect(openKnownBrowser(secret, sealed, later(knownBrowserSeconds))).toBeNull();
  expect(sealed).toMatch(/^[\w.-]+$/);
  expect(Buffer.from(sealed, "base64url").toString("latin1")).not.toContain("usr_1");
});

it.each([
  ["nothing", ""],
  ["any text", "v1.0.AAAA"],
  ["a text that was changed", `${sealed.slice(0, -8)}AAAAAAAA`],
  ["a text of another installation", sealKnownBrowser("another-secret-".repeat(3), known, now)],
])("isn't known with %s", (_, text) => {
  expect(openKnownBrowser(secret, text, now)).toBeNull();
});
