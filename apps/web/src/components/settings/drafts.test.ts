import { createApiKey } from "@fairlead/domain/access";
import { expect, it } from "vitest";
import { emptyKey, toCreateApiKey } from "./key-draft.ts";
import { callbackUrl, splitDomains } from "./provider-draft.ts";

const now = new Date("2026-11-20T12:00:00Z");

it("creates a key with the selected expiry", () => {
  const draft = { ...emptyKey(), name: "pipeline", scopes: ["node:read" as const] };
  expect(createApiKey.parse(toCreateApiKey(draft, now)).expiresAt).toEqual(new Date("2027-02-18T12:00:00Z"));
  expect(createApiKey.parse(toCreateApiKey({ ...draft, expiry: "never" }, now)).expiresAt).toBeNull();
});

it("lets the schema reject an empty limit", () => {
  const draft = { ...emptyKey(), name: "pipeline", scopes: ["node:read" as const], requestsPerMinute: "" };
  expect(createApiKey.safeParse(toCreateApiKey(draft, now)).error?.issues[0]?.path).toEqual(["requestsPerMinute"]);
});

it("derives the redirect URI from organisation and name", () => {
  expect(callbackUrl("https://fairlead.example/", "org_1", "works")).toBe(
    "https://fairlead.example/api/auth/sso/callback/org_1.works",
  );
  expect(callbackUrl("https://fairlead.example", "org_1", "")).toContain("/callback/org_1.NAME");
});

it("splits domains and removes duplicates", () => {
  expect(splitDomains("example.com, example.org example.com")).toEqual(["example.com", "example.org"]);
});
