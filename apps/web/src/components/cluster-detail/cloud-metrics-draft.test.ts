import { cloudMetrics, updateCloudMetrics } from "@fairlead/domain";
import { describe, expect, it } from "vitest";
import { draftOf, wishOf } from "./cloud-metrics-draft.ts";

describe("what is written of cloud metrics", () => {
  it.each([
    { provider: "aws", region: "eu-central-1", monitoringEndpoint: null, balancingEndpoint: null },
    {
      provider: "aws",
      region: "eu-central-1",
      monitoringEndpoint: "https://monitoring.example",
      balancingEndpoint: "https://balancing.example",
    },
  ])("is what was shown", (shown) => {
    expect(updateCloudMetrics.parse(wishOf(draftOf(cloudMetrics.parse(shown))))).toEqual(shown);
  });

  it("has a key only if one was written, and a region that is known from elsewhere", () => {
    const draft = { ...draftOf(null, "eu-west-1"), accessKeyId: "AKIAIOSFODNN7EXAMPLE " };
    expect(wishOf(draft)).toMatchObject({
      region: "eu-west-1",
      credentials: { accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "" },
    });
    expect(wishOf(draftOf(null))).not.toHaveProperty("credentials");
  });
});
