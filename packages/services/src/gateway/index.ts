// What only the agent gateway and the meters use. Kept out of the package's main entry, so that the web never loads it.
export * from "../authority/index.ts";
export { routingBox } from "../cluster/routing-box.ts";
export type { SecretBox } from "../secret/index.ts";
export { deleteOrphanedSeries } from "../series/orphans.sql.ts";
export { partitionsBetween, tables } from "../series/partitioned-table.ts";
export { Partitions } from "../series/partitions.sql.ts";
export { dueRollups, type RollupTask, rollUp } from "../series/roll-up.sql.ts";
export { SeriesIds } from "../series/series-ids.sql.ts";
export { noteRoles } from "./agent-roles.ts";
export { type AgentReport, type CheckedReport, checkReport, type ReportLimits } from "./check-report.ts";
export { type AgentConfig, loadConfigs } from "./configs.ts";
export { type EnrollAgent, type Enrollment, enrollAgent } from "./enroll.ts";
export { type AgentIdentity, admit, loadIdentities, type Presented } from "./identities.sql.ts";
export { agentChannel, manyAgents, notifyAgents } from "./notify-agents.sql.ts";
export { type ReceivedReport, type ReportOutcome, type ReportStore, recordReports } from "./record-reports.ts";
export { isRefusedData, lacksPartition } from "./refused-data.ts";
export { type Renewal, renewAgent } from "./renew.ts";
export { hasStrayed, recoverStrayed } from "./strayed-agents.sql.ts";
