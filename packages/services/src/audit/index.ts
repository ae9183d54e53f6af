export { listAuditEntries } from "./list.ts";
