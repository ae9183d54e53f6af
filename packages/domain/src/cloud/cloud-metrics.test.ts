import { describe, expect, it } from "vitest";
import { cloudMetrics, updateCloudMetrics } from "./cloud-metrics.ts";

const aws = { provider: "aws", region: "eu-central-1" } as const;
const credentials = {
  accessKeyId: "AKIAIOSFODNN7EXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
};

describe("the source of cloud metrics", () => {
  it("needs only a region, and contains no credentials once it is stored", () => {
    expect(cloudMetrics.parse(aws)).toEqual({ ...aws, monitoringEndpoint: null, balancingEndpoint: null });
    expect(cloudMetrics.safeParse({ ...aws, credentials }).success).toBe(false);
    expect(updateCloudMetrics.parse({ ...aws, credentials }).credentials).toEqual(credentials);
  });

  it.each([
    ["region", { ...aws, region: "Frankfurt" }, "as eu-central-1"],
    [
      "monitoringEndpoint",
      { ...aws, monitoringEndpoint: "file:///etc/passwd" },
      "enter the address of a CloudWatch API",
    ],
    ["balancingEndpoint", { ...aws, balancingEndpoint: "elb" }, "enter the address of an Elastic Load Balancing API"],
    ["credentials.accessKeyId", { ...aws, credentials: { ...credentials, accessKeyId: "me" } }, "16 capital letters"],
    ["credentials.secretAccessKey", { ...aws, credentials: { ...credentials, secretAccessKey: "x" } }, "40 characters"],
  ])("reports what is wrong at %s", (path, spec, words) => {
    const issues = updateCloudMetrics.safeParse(spec).error?.issues ?? [];
    expect(issues.map((each) => [each.path.join("."), each.message])).toEqual([[path, expect.stringContaining(words)]]);
  });
});
