"use client";
import { Check, Download, Link2 } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/action/button.tsx";
import { writeClipboard } from "@/components/ui/action/copy-button.tsx";
import { saveFile } from "@/components/ui/action/save-file.ts";
import { Menu, MenuItem } from "@/components/ui/overlay/menu.tsx";
import { csvOf, jsonOf } from "./export-answer.ts";
import type { Answer } from "./use-answer.ts";

const copiedMs = 1_500;

/** Shares the result: as a link, as files, or on paper. */
export function ShareActions({ answer }: { answer: Answer | null }) {
  const [copied, setCopied] = useState(false);
  async function copy() {
    if (!answer || !(await writeClipboard(linkTo(answer)))) return;
    setCopied(true);
    setTimeout(() => setCopied(false), copiedMs);
  }
  if (!answer) return null;
  return (
    <div className="flex gap-2 print:hidden">
      <Button onClick={() => void copy()}>
        {copied ? <Check aria-hidden /> : <Link2 aria-hidden />}
        {copied ? "Copied" : "Copy link"}
      </Button>
      <Menu
        label="Export"
        trigger={
          <Button>
            <Download aria-hidden />
            Export
          </Button>
        }
      >
        <MenuItem onSelect={() => save("load-balancer-costs.csv", "text/csv", csvOf(answer))}>As CSV</MenuItem>
        <MenuItem onSelect={() => save("load-balancer-costs.json", "application/json", jsonOf(answer))}>
          As JSON
        </MenuItem>
        {/* Once the menu is closed, or it would be printed. */}
        <MenuItem onSelect={() => setTimeout(() => window.print())}>Print, or save as PDF</MenuItem>
      </Menu>
    </div>
  );
}

/** linkTo is the URL of the result, with the date of its prices. */
function linkTo({ request }: Answer): string {
  const url = new URL(window.location.href);
  if (request.pricesOf) url.searchParams.set("prices", request.pricesOf);
  return url.href;
}

function save(name: string, type: string, content: string): void {
  saveFile(name, new Blob([content], { type: `${type};charset=utf-8` }));
}
