"use client";
import { Download } from "lucide-react";
import type { RefObject } from "react";
import { describeRange } from "@/components/time-range/describe-range.ts";
import { Button } from "@/components/ui/action/button.tsx";
import { saveCsv, saveFile } from "@/components/ui/action/save-file.ts";
import { Menu, MenuItem } from "@/components/ui/overlay/menu.tsx";
import type { ChartData } from "../data/chart-data.ts";

type Shown = { title: string; data: ChartData; from: number; to: number };

/** Saves a chart as a file. The code for that is loaded when it is needed. */
export function DownloadMenu({ shown, panel }: { shown: Shown; panel: RefObject<HTMLElement | null> }) {
  const { title, data } = shown;
  async function downloadCsv() {
    const { chartCsv } = await import("./chart-csv.ts");
    saveCsv(fileName(shown, "csv"), chartCsv(data));
  }
  async function downloadPng() {
    const plot = panel.current?.querySelector<SVGSVGElement>("svg[data-plot]");
    if (!plot) return;
    const { drawPicture, toPng } = await import("./chart-picture.ts");
    saveFile(fileName(shown, "png"), await toPng(drawPicture(plot, heading(title), timeOf(shown), data.lines)));
  }
  return (
    <Menu
      label={`Download ${title}`}
      trigger={
        <Button size="icon-sm" variant="quiet" className="-my-1 text-muted" aria-label={`Download ${title}`}>
          <Download aria-hidden />
        </Button>
      }
    >
      <MenuItem onSelect={() => void downloadCsv()}>As CSV</MenuItem>
      <MenuItem onSelect={() => void downloadPng()}>As PNG</MenuItem>
    </Menu>
  );
}

/** The title of the chart and of its page, such as the name of a node. */
function heading(title: string): string {
  const [page = ""] = document.title.split(" · ");
  return `${title} · ${page}`;
}

function timeOf({ from, to }: Shown): string {
  return describeRange({ kind: "absolute", from: new Date(from), to: new Date(to) });
}

function fileName({ title, to }: Shown, ending: string): string {
  const name = heading(title)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-");
  return `${name}-${new Date(to).toISOString().slice(0, 19).replaceAll(":", "-")}Z.${ending}`;
}
