import { describe, expect, it } from "vitest";
import { safePath } from "./safe-path.ts";

describe("safePath", () => {
  it.each([
    ["/", "/"],
    ["/exposures?strategy=ecmp&page=2#top", "/exposures?strategy=ecmp&page=2#top"],
    ["/invitations/abc", "/invitations/abc"],
    ["/a/../nodes", "/nodes"],
  ])("keeps a local path: %s", (wanted, path) => {
    expect(safePath(wanted)).toBe(path);
  });

  it.each([
    null,
    undefined,
    "",
    "nodes",
    "https://evil.example",
    "//evil.example",
    "/\\evil.example",
    "/\t/evil.example",
    "/\n//evil.example",
    "/.//evil.example",
    "/..//evil.example",
    "javascript:alert(1)",
    "/sign-in?returnTo=/sign-in",
    "/api/auth/sign-out",
    `/${"a".repeat(3_000)}`,
  ])("leads anything else to the start page: %j", (wanted) => {
    expect(safePath(wanted)).toBe("/");
  });
});
