import type { EnrollmentToken } from "@fairlead/domain";

export const enrollmentTokenSource = {
  from: "enrollment_token_view",
  columns: [
    "id",
    "clusterId",
    "clusterName",
    "nodeName",
    "createdBy",
    "createdAt",
    "expiresAt",
    "usedAt",
    "agentId",
    "nodeId",
    "isReusable",
    "uses",
    "roles",
  ] as const satisfies readonly (keyof EnrollmentToken)[],
};
