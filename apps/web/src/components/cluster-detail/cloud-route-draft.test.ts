import { cloudRoute, updateCloudRoute } from "@fairlead/domain";
import { describe, expect, it } from "vitest";
import { draftOf, wishOf } from "./cloud-route-draft.ts";

const place = { provider: "aws", region: "eu-central-1", endpoint: null, vpcId: null };

describe("what is written of a cloud route", () => {
  it.each([
    { ...place, method: "route", routeTables: ["rtb-0a1b2c3d4e5f60718", "rtb-1a1b2c3d4e5f60718"] },
    { ...place, method: "secondary-address", vpcId: "vpc-0a1b2c3d4e5f60718" },
    {
      ...place,
      method: "elastic-address",
      elasticAddresses: [{ address: "10.0.0.9", allocationId: "eipalloc-0a1b2c3d4e5f60718" }],
    },
  ])("is what was shown, by $method", (shown) => {
    expect(updateCloudRoute.parse(wishOf(draftOf(cloudRoute.parse(shown))))).toEqual(shown);
  });

  it("has a key only if one was written", () => {
    const draft = { ...draftOf(null), accessKeyId: "AKIAIOSFODNN7EXAMPLE " };
    expect(wishOf(draft)).toMatchObject({ credentials: { accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "" } });
    expect(wishOf(draftOf(null))).not.toHaveProperty("credentials");
  });
});
