import type { CloudMetrics } from "@fairlead/domain";

/** What a person writes, every field a text. */
export type CloudMetricsDraft = {
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  monitoringEndpoint: string;
  balancingEndpoint: string;
};

/** draftOf begins with what is set, or with where the cluster's cloud is known to be from elsewhere. */
export function draftOf(settings: CloudMetrics | null, region = ""): CloudMetricsDraft {
  return {
    region: settings?.region ?? region,
    accessKeyId: "",
    secretAccessKey: "",
    monitoringEndpoint: settings?.monitoringEndpoint ?? "",
    balancingEndpoint: settings?.balancingEndpoint ?? "",
  };
}

/** wishOf is what is asked for, for the schema to complain about. No key at all keeps the one that is set. */
export function wishOf(draft: CloudMetricsDraft): object {
  const { accessKeyId, secretAccessKey } = draft;
  return {
    provider: "aws",
    region: draft.region.trim(),
    monitoringEndpoint: draft.monitoringEndpoint.trim() || null,
    balancingEndpoint: draft.balancingEndpoint.trim() || null,
    ...(accessKeyId || secretAccessKey
      ? { credentials: { accessKeyId: accessKeyId.trim(), secretAccessKey: secretAccessKey.trim() } }
      : {}),
  };
}
