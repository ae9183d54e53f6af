import { cloudMetrics, updateCloudMetrics } from "@fairlead/domain/cloud";
import { describe, expect, it } from "vitest";
import { draftOf, specOf } from "./cloud-metrics-draft.ts";

describe("the form of cloud metrics", () => {
  it.each([
    { provider: "aws", region: "eu-central-1", monitoringEndpoint: null, balancingEndpoint: null },
    {
      provider: "aws",
      region: "eu-central-1",
      monitoringEndpoint: "https://monitoring.example",
      balancingEndpoint: "https://balancing.example",
    },
  ])("round-trips", (shown) => {
    expect(updateCloudMetrics.parse(specOf(draftOf(cloudMetrics.parse(shown))))).toEqual(shown);
  });

  it("has a key only if one was typed, and a known region", () => {
    const draft = { ...draftOf(null, "eu-west-1"), accessKeyId: "AKIAIOSFODNN7EXAMPLE " };
    expect(specOf(draft)).toMatchObject({
      region: "eu-west-1",
      credentials: { accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "" },
    });
    expect(specOf(draftOf(null))).not.toHaveProperty("credentials");
  });
});
