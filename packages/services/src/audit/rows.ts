import { viewSource } from "@fairlead/db";
import { auditEntry } from "@fairlead/domain/access";

export const auditEntrySource = viewSource("audit_entry_view", auditEntry);
