import { cloudRoute } from "@fairlead/domain/cloud";
import { expect, it } from "vitest";
import { cloudRouteDifferences } from "./cloud-route-differences.ts";

it("lists changed fields, and never a key", () => {
  const before = cloudRoute.parse({ provider: "aws", region: "eu-central-1", method: "secondary-address" });
  const credentials = { accessKeyId: "AKIAEXAMPLEEXAMPLE", secretAccessKey: "not-a-real-key-of-anyone" };
  expect(cloudRouteDifferences(before, before)).toEqual([]);
  expect(cloudRouteDifferences(before, { ...before, region: "eu-west-1", credentials })).toEqual([
    { path: "region", before: "eu-central-1", after: "eu-west-1" },
    { path: "credentials", before: "set", after: "a new key" },
  ]);
});
