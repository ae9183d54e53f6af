"use client";
import { Download } from "lucide-react";
import { IconButton } from "../ui/action/icon-button.tsx";
import { saveCsv } from "../ui/action/save-file.ts";

/** Saves the rows that a chart shows as CSV. */
export function SaveCsv({ name, rows }: { name: string; rows: () => readonly object[] }) {
  async function save() {
    const { rowsCsv } = await import("./rows-csv.ts");
    saveCsv(`${name.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "-")}.csv`, rowsCsv(rows()));
  }
  return (
    <IconButton
      label={`Download ${name} as CSV`}
      size="icon-sm"
      className="-my-1 text-muted"
      onClick={() => void save()}
    >
      <Download aria-hidden />
    </IconButton>
  );
}
