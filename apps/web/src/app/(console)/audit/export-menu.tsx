import type { AuditFormat } from "@fairlead/domain/access";
import { ExportMenu as Menu } from "@/components/detail/export-menu.tsx";
import { exportUrl } from "./export-url.ts";
import { type AuditParams, toAuditInput } from "./search-params.ts";

const formats: [AuditFormat, string][] = [
  ["csv", "As CSV"],
  ["ndjson", "As NDJSON"],
];

/** Downloads the entries that match the current filters. */
export function ExportMenu({ params }: { params: AuditParams }) {
  return <Menu formats={formats} urlOf={(format) => exportUrl(toAuditInput(params, Date.now()), format)} />;
}
