import { cloudRoute, updateCloudRoute } from "@fairlead/domain/cloud";
import { describe, expect, it } from "vitest";
import { draftOf, specOf } from "./cloud-route-draft.ts";

const place = { provider: "aws", region: "eu-central-1", endpoint: null, vpcId: null };

describe("the form of a cloud route", () => {
  it.each([
    { ...place, method: "route", routeTables: ["rtb-0a1b2c3d4e5f60718", "rtb-1a1b2c3d4e5f60718"] },
    { ...place, method: "secondary-address", vpcId: "vpc-0a1b2c3d4e5f60718" },
    {
      ...place,
      method: "elastic-address",
      elasticAddresses: [{ address: "10.0.0.9", allocationId: "eipalloc-0a1b2c3d4e5f60718" }],
    },
  ])("round-trips, by $method", (shown) => {
    expect(updateCloudRoute.parse(specOf(draftOf(cloudRoute.parse(shown))))).toEqual(shown);
  });

  it("has a key only if one was typed", () => {
    const draft = { ...draftOf(null), accessKeyId: "AKIAIOSFODNN7EXAMPLE " };
    expect(specOf(draft)).toMatchObject({ credentials: { accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "" } });
    expect(specOf(draftOf(null))).not.toHaveProperty("credentials");
  });
});
