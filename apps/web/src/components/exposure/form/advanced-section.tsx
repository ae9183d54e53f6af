"use client";
import { ChevronRight } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { ExposureForm } from "./use-exposure-form.ts";

/** Settings with good defaults. Closed, it shows a summary. An invalid field opens it. */
export function AdvancedSection(props: {
  form: ExposureForm;
  summary: string;
  /** Of its fields, in the spec. */
  paths: readonly string[];
  children: ReactNode;
}) {
  const { form, summary, paths, children } = props;
  const [opened, setOpened] = useState(false);
  const isOpen = opened || paths.some((path) => form.error(path));
  return (
    <details className="group/advanced" open={isOpen} onToggle={(event) => setOpened(event.currentTarget.open)}>
      <summary className="-mx-1 flex cursor-pointer list-none flex-wrap items-baseline gap-x-2 rounded-md px-1 py-1 text-sm hover:bg-hover [&::-webkit-details-marker]:hidden">
        <ChevronRight
          className="size-4 shrink-0 translate-y-0.5 text-muted transition-transform group-open/advanced:rotate-90"
          aria-hidden
        />
        <span className="font-medium">Advanced</span>
        <span className="min-w-0 text-muted group-open/advanced:hidden">{summary}</span>
      </summary>
      <div className="mt-2 ml-1 flex flex-col gap-6 border-l pl-4 md:ml-1.5 md:pl-5">{children}</div>
    </details>
  );
}
