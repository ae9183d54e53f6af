"use client";
import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { IconButton } from "./icon-button.tsx";

const shownMs = 1_500;

export function CopyButton({
  value,
  label = "Copy",
  className,
}: {
  value: string;
  label?: string;
  className?: string;
}) {
  const [copied, setCopied] = useState(false);
  async function copy() {
    if (!(await writeClipboard(value))) return;
    setCopied(true);
    setTimeout(() => setCopied(false), shownMs);
  }
  return (
    <IconButton
      label={copied ? "Copied" : label}
      size="icon-sm"
      className={className}
      onClick={(event) => {
        event.stopPropagation();
        void copy();
      }}
    >
      {copied ? <Check aria-hidden /> : <Copy aria-hidden />}
    </IconButton>
  );
}

/**
 * Browsers offer the clipboard API only on secure pages. On a plain http address, the dashboard uses the legacy API.
 */
export async function writeClipboard(value: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(value);
    return true;
  } catch {
    const field = document.createElement("textarea");
    field.value = value;
    field.style.position = "fixed";
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  }
}
