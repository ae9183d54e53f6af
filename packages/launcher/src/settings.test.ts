import { describe, expect, it } from "vitest";
import { readSettings } from "./settings.ts";

const admin = { FAIRLEAD_ADMIN_EMAIL: "Ada@Example.com ", FAIRLEAD_ADMIN_PASSWORD: "correct-Horse-7" };

describe("readSettings", () => {
  it("normalises the first owner's email address", () => {
    expect(readSettings({ ...admin }).admin).toEqual({ email: "ada@example.com", password: "correct-Horse-7" });
    expect(readSettings({}).admin).toBeNull();
  });

  it.each([
    [
      "half of the account",
      { FAIRLEAD_ADMIN_PASSWORD: "" },
      "Set both FAIRLEAD_ADMIN_EMAIL and FAIRLEAD_ADMIN_PASSWORD",
    ],
    [
      "an address without a domain",
      { FAIRLEAD_ADMIN_EMAIL: "admin@localhost" },
      'FAIRLEAD_ADMIN_EMAIL is "admin@localhost": enter an email address.',
    ],
    [
      "a password that is too long",
      { FAIRLEAD_ADMIN_PASSWORD: "x".repeat(129) },
      /^FAIRLEAD_ADMIN_PASSWORD is invalid: 128 characters at most\.$/,
    ],
    [
      "a password that is too short",
      { FAIRLEAD_ADMIN_PASSWORD: "short" },
      /^FAIRLEAD_ADMIN_PASSWORD is invalid: 8 characters at least\.$/,
    ],
  ])("rejects %s for the first owner before the start", (_, invalid, message) => {
    expect(() => readSettings({ ...admin, ...invalid })).toThrow(message);
  });

  it("rejects invalid settings of the controller and the dashboard before the build", () => {
    expect(() => readSettings({ FAIRLEAD_CLOUD_ENDPOINTS: "127.0.0.1:5000" })).toThrow(/^FAIRLEAD_CLOUD_ENDPOINTS/);
    expect(() => readSettings({ FAIRLEAD_CLOUD_ENDPOINTS: "http://127.0.0.1:5000" })).not.toThrow();
    expect(() => readSettings({ FAIRLEAD_OIDC_ENDPOINTS: "login.corp" })).toThrow(/^FAIRLEAD_OIDC_ENDPOINTS/);
    expect(() => readSettings({ FAIRLEAD_OIDC_ENDPOINTS: "https://login.corp" })).not.toThrow();
    expect(() => readSettings({ FAIRLEAD_ALLOWED_HOSTS: "http://a" })).toThrow(/^FAIRLEAD_ALLOWED_HOSTS/);
    expect(() => readSettings({ FAIRLEAD_TRUSTED_PROXIES: "proxy.example" })).toThrow(/^FAIRLEAD_TRUSTED_PROXIES/);
    expect(() => readSettings({ FAIRLEAD_PRICE_FEEDS: "aws,ibm" })).toThrow(/^FAIRLEAD_PRICE_FEEDS/);
    expect(() => readSettings({ FAIRLEAD_PRICE_FEEDS: "aws,oracle" })).not.toThrow();
    expect(() => readSettings({ FAIRLEAD_PRICE_MIRRORS: "aws" })).toThrow(/^FAIRLEAD_PRICE_MIRRORS/);
    expect(() => readSettings({ FAIRLEAD_TRUSTED_PROXIES: "10.0.0.1,172.16.0.0/12" })).not.toThrow();
  });
});
