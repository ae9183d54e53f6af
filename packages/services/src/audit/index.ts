export { type AuditPages, exportAuditEntries } from "./export.ts";
export { listAuditEntries } from "./list.ts";
