"use client";
import { useQueryClient } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import { problemOf } from "@/trpc/problem.ts";
import { IconButton } from "../ui/action/icon-button.tsx";
import { saveCsv } from "../ui/action/save-file.ts";
import { notify } from "../ui/layout/notices.tsx";
import { count } from "../words/numbers.ts";
import type { PageQuery } from "./use-list-window.ts";

const pageRows = 200;
/** A browser holds them all. For more, the API has pages. */
const mostRows = 20_000;

/** Saves all rows that match, in their order, as CSV. */
export function DownloadRows<Row extends object>({
  name,
  label = "Download as CSV",
  rowId,
  pageQuery,
}: {
  /** Of the rows, in the plural. */
  name: string;
  /** Of the button. It names the rows on a page with several lists. */
  label?: string;
  rowId: (row: Row) => string;
  pageQuery: (offset: number, limit: number) => PageQuery<Row>;
}) {
  const client = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  async function save() {
    setBusy(true);
    try {
      const rows = new Map<string, Row>();
      let offset = 0;
      let isAll = false;
      while (!isAll && offset < mostRows) {
        const { items } = await client.fetchQuery({ ...pageQuery(offset, pageRows), staleTime: 0, gcTime: 0 });
        // A row that moved meanwhile is in two pages.
        for (const row of items) rows.set(rowId(row), row);
        offset += items.length;
        isAll = items.length < pageRows;
      }
      const { rowsCsv } = await import("./rows-csv.ts");
      saveCsv(`${name.replaceAll(" ", "-")}.csv`, rowsCsv([...rows.values()]));
      if (!isAll)
        notify(`The file has the first ${count(rows.size)} ${name}. For more, filter the list, or use the API.`);
    } catch (error) {
      notify(`Could not download the ${name}: ${problemOf(error).message}`, "problem");
    } finally {
      setBusy(false);
    }
  }
  return (
    <IconButton label={label} size="icon-sm" busy={isBusy} onClick={() => void save()}>
      {isBusy ? null : <Download aria-hidden />}
    </IconButton>
  );
}
