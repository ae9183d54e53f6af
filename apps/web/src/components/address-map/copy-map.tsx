"use client";
import type { AddressMap } from "@fairlead/domain/address-map";
import { writeMapCompact, writeMapEnv, writeMapJson, writeMapYaml } from "@fairlead/domain/address-map";
import { Copy } from "lucide-react";
import { Button } from "../ui/action/button.tsx";
import { writeClipboard } from "../ui/action/copy-button.tsx";
import { notify } from "../ui/layout/notices.tsx";
import { Menu, MenuItem } from "../ui/overlay/menu.tsx";

const forms: { label: string; what: string; write: (map: AddressMap) => string }[] = [
  { label: "YAML", what: "the map as YAML", write: writeMapYaml },
  { label: "JSON", what: "the map as JSON", write: writeMapJson },
  { label: "Environment variables", what: "the map as environment variables", write: writeMapEnv },
  { label: "Compact YAML, IP to IP", what: "the compact map", write: writeMapCompact },
];

/** Copies the map in the format that the next tool reads. */
export function CopyMap({ map }: { map: AddressMap }) {
  async function copy({ what, write }: (typeof forms)[number]) {
    if (await writeClipboard(write(map))) notify(`Copied ${what}, generation ${map.generation}.`);
    else notify("The browser blocked access to the clipboard.", "problem");
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
