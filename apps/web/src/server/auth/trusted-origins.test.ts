import { describe, expect, it } from "vitest";
import { trustedOrigins } from "./trusted-origins.ts";

const own = "https://fairlead.example.com";
const allowed = ["http://10.0.0.5:8080"];
const requestTo = (path: string) =>
  new Request(`${own}/api/auth${path}`, { headers: { origin: "http://10.0.0.9", host: "10.0.0.9" } });

describe("trusted origins", () => {
  it("are our own, and that under which the browser reached us", () => {
    expect(trustedOrigins(own, allowed, requestTo("/sign-in/email"))).toEqual([own, "http://10.0.0.9"]);
  });

  it("are not our host without HTTPS", () => {
    const headers = { origin: "http://fairlead.example.com", host: "fairlead.example.com" };
    expect(trustedOrigins(own, allowed, new Request(`${own}/api/auth/sign-out`, { headers }))).toEqual([own]);
  });

  it.each(["/sign-in/sso", "/sso/callback/works"])(
    "are for %s our own and the allowed servers: better-auth connects to them on any network",
    (path) => {
      expect(trustedOrigins(own, allowed, requestTo(path))).toEqual([own, ...allowed]);
    },
  );
});
