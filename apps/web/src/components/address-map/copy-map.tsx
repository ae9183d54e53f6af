"use client";
import type { AddressMap } from "@fairlead/domain";
import { writeMapCompact, writeMapEnv, writeMapJson, writeMapYaml } from "@fairlead/domain";
import { Copy } from "lucide-react";
import { Button } from "../ui/button.tsx";
import { writeClipboard } from "../ui/copy-button.tsx";
import { Menu, MenuItem } from "../ui/menu.tsx";
import { notify } from "../ui/notices.tsx";

const forms: { label: string; what: string; write: (map: AddressMap) => string }[] = [
  { label: "YAML", what: "the map as YAML", write: writeMapYaml },
  { label: "JSON", what: "the map as JSON", write: writeMapJson },
  { label: "Environment variables", what: "the map as environment variables", write: writeMapEnv },
  { label: "Compact YAML, IP to IP", what: "the compact map", write: writeMapCompact },
];

/** The map for the clipboard, in the form that the next tool reads. */
export function CopyMap({ map }: { map: AddressMap }) {
  async function copy({ what, write }: (typeof forms)[number]) {
    if (await writeClipboard(write(map))) notify(`Copied ${what}, generation ${map.generation}.`);
    else notify("The browser did not let the map be copied.", "problem");
  }
  return (
    <Menu
      label="Copy the map"
      trigger={
        <Button size="sm">
          <Copy aria-hidden />
          Copy
        </Button>
      }
    >
      {forms.map((form) => (
        <MenuItem key={form.label} onSelect={() => void copy(form)}>
          {form.label}
        </MenuItem>
      ))}
    </Menu>
  );
}
