import { expect, it } from "vitest";
import { createIdentityProvider } from "./identity-provider.ts";

const rest = { name: "works", clientId: "fairlead", clientSecret: "secret", domains: ["example.com"] };
const accepts = (issuer: string) => createIdentityProvider.safeParse({ ...rest, issuer }).success;

it.each(["https://login.example.com", "https://login.example.com/tenant/v2.0/", "http://127.0.0.1:4000"])(
  "accepts the issuer %s",
  (issuer) => expect(accepts(issuer)).toBe(true),
);

it.each([
  "https://login.example.com?x=1",
  "https://login.example.com/?",
  "https://login.example.com#x",
  "https://login.example.com/#",
  "https://user:word@login.example.com",
  "https://user@login.example.com",
  "ftp://login.example.com",
])("rejects the issuer %s", (issuer) => expect(accepts(issuer)).toBe(false));
