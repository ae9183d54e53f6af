import type { AuditFormat } from "@fairlead/domain/access";
import { Download } from "lucide-react";
import { Button } from "@/components/ui/action/button.tsx";
import { Menu, MenuItem } from "@/components/ui/overlay/menu.tsx";
import { exportUrl } from "./export-url.ts";
import { type AuditParams, toAuditInput } from "./search-params.ts";

/** Downloads the entries that match the current filters. */
export function ExportMenu({ params }: { params: AuditParams }) {
  return (
    <Menu
      label="Export"
      trigger={
        <Button>
          <Download aria-hidden />
          Export
        </Button>
      }
    >
      <MenuItem onSelect={() => download(params, "csv")}>As CSV</MenuItem>
      <MenuItem onSelect={() => download(params, "ndjson")}>As NDJSON</MenuItem>
    </Menu>
  );
}

/** A link and not a request, so that the browser streams the file to disk. */
function download(params: AuditParams, format: AuditFormat): void {
  const link = document.createElement("a");
  link.href = exportUrl(toAuditInput(params, Date.now()), format);
  link.download = "";
  link.click();
}
