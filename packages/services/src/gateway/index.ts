// What only the agent gateway and the meters use. It is not in the package's main entry, so that the web app never
// loads it.
export * from "../authority/index.ts";
export { routingBox } from "../cluster/routing-box.ts";
export { type Question, questionChannel, recordAnswer } from "../routing-table/question.sql.ts";
export type { SecretBox } from "../secret/index.ts";
export { correctSamples } from "../series/correct-samples.sql.ts";
export { endSeries } from "../series/end-series.sql.ts";
export { manySubjects, seriesChannel } from "../series/notify-series.sql.ts";
export { deleteOrphanedSeries } from "../series/orphans.sql.ts";
export { partitionsBetween, tables } from "../series/partitioned-table.ts";
export { Partitions } from "../series/partitions.sql.ts";
export { dueRollups, type RollupTask, rollUp } from "../series/roll-up.sql.ts";
export { SeriesIds } from "../series/series-ids.sql.ts";
export { meterDue } from "../usage/meter-due.sql.ts";
export { meterHours, refreshSubjects } from "../usage/meter-hours.sql.ts";
export { type AgentConfig, loadConfigs } from "./config/configs.ts";
export { agentChannel, manyAgents, notifyAgents } from "./config/notify-agents.sql.ts";
export { hasStrayed, recoverStrayed } from "./config/strayed-agents.sql.ts";
export { type EnrollAgent, type Enrollment, enrollAgent } from "./enroll/enroll.ts";
export { type Renewal, renewAgent } from "./enroll/renew.ts";
export { noteRoles } from "./identity/agent-roles.ts";
export { type AgentIdentity, admit, loadIdentities, type Presented } from "./identity/identities.sql.ts";
export { checkAllowedRoles, rolesOfReport } from "./identity/refuse-roles.ts";
export { checkAnswer } from "./question/check-answer.ts";
export { loadQuestion } from "./question/load-question.ts";
export { type AgentReport, type CheckedReport, checkReport, type ReportLimits } from "./report/check-report.ts";
export { type ReceivedReport, type ReportOutcome, type ReportStore, recordReports } from "./report/record-reports.ts";
export { isRefusedData, lacksPartition, missesObject } from "./report/refused-data.ts";
