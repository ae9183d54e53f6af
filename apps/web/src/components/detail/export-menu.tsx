import { Download } from "lucide-react";
import { Button } from "@/components/ui/action/button.tsx";
import { Menu, MenuItem } from "@/components/ui/overlay/menu.tsx";

type ExportMenuProps<Format extends string> = {
  formats: readonly (readonly [Format, string])[];
  /** Where the file is downloaded. */
  urlOf: (format: Format) => string;
};

/** Downloads what a page shows, as a file in one of several formats. */
export function ExportMenu<Format extends string>({ formats, urlOf }: ExportMenuProps<Format>) {
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
      {formats.map(([format, text]) => (
        <MenuItem key={format} onSelect={() => download(urlOf(format))}>
          {text}
        </MenuItem>
      ))}
    </Menu>
  );
}

/** A link and not a request, so that the browser streams the file to disk. */
function download(url: string): void {
  const link = document.createElement("a");
  link.href = url;
  link.download = "";
  link.click();
}
