import type { Agent } from "@fairlead/domain";

export const agentSource = {
  from: "agent_view",
  columns: [
    "id",
    "nodeId",
    "roles",
    "version",
    "state",
    "desiredRevision",
    "observedRevision",
    "configError",
    "warnings",
    "corrections",
    "droppedReports",
    "reportIntervalMs",
    "lastReportAt",
    "certificateExpiresAt",
    "enrolledAt",
    "revokedAt",
  ] as const satisfies readonly (keyof Agent)[],
};
