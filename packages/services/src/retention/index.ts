export { recordRetentionMs, sweepRecords } from "./sweep-records.sql.ts";
