import type { CloudMetrics } from "@fairlead/domain/cloud";

/** The fields of the form, all as text. */
export type CloudMetricsDraft = {
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  monitoringEndpoint: string;
  balancingEndpoint: string;
};

/** draftOf starts with the current setting, or with the cluster's region if it is known from elsewhere. */
export function draftOf(settings: CloudMetrics | null, region = ""): CloudMetricsDraft {
  return {
    region: settings?.region ?? region,
    accessKeyId: "",
    secretAccessKey: "",
    monitoringEndpoint: settings?.monitoringEndpoint ?? "",
    balancingEndpoint: settings?.balancingEndpoint ?? "",
  };
}

/** specOf returns the spec for the schema to validate. An empty key keeps the current one. */
export function specOf(draft: CloudMetricsDraft): object {
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
