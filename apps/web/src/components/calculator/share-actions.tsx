"use client";
import { Check, Download, Link2 } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button.tsx";
import { writeClipboard } from "@/components/ui/copy-button.tsx";
import { Menu, MenuItem } from "@/components/ui/menu.tsx";
import { csvOf, jsonOf } from "./export-answer.ts";
import type { Answer } from "./use-answer.ts";

const saidMs = 1_500;

/** To hand on what is shown: the address, which holds all of it, files, and paper. */
export function ShareActions({ answer }: { answer: Answer | null }) {
  const [copied, setCopied] = useState(false);
  async function copy() {
    if (!answer || !(await writeClipboard(linkTo(answer)))) return;
    setCopied(true);
    setTimeout(() => setCopied(false), saidMs);
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
        {/* After the menu is gone, or it would be on the paper. */}
        <MenuItem onSelect={() => setTimeout(() => window.print())}>Print, or save as PDF</MenuItem>
      </Menu>
    </div>
  );
}

/** linkTo is the address of what is shown, by the prices it is shown with. */
function linkTo({ asked }: Answer): string {
  const url = new URL(window.location.href);
  if (asked.pricesOf) url.searchParams.set("prices", asked.pricesOf);
  return url.href;
}

function save(name: string, type: string, content: string): void {
  const url = URL.createObjectURL(new Blob([content], { type: `${type};charset=utf-8` }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser reads it after this returns.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
