"use client";
import { ChevronDown } from "lucide-react";
import { type ComponentProps, useLayoutEffect, useRef } from "react";
import { classNames } from "./class-names.ts";
import { controlStyle } from "./input.tsx";

/** The platform's own select: it works by keyboard, by finger and by voice without any code of ours. */
export function Select({ className, children, ...props }: ComponentProps<"select">) {
  const element = useRef<HTMLSelectElement>(null);
  useLayoutEffect(() => tellOfEarlyChoice(element.current), []);
  return (
    <span className={classNames("relative inline-flex w-full", className)}>
      {/* Off, or what the browser restores of an earlier visit would be told as a choice, and where a choice is sent at once, be sent. */}
      <select
        ref={element}
        autoComplete="off"
        className={classNames(controlStyle, "h-8 appearance-none truncate pr-8 pl-2.5")}
        {...props}
      >
        {children}
      </select>
      <ChevronDown
        className="pointer-events-none absolute top-1/2 right-2.5 size-4 -translate-y-1/2 text-muted"
        aria-hidden
      />
    </span>
  );
}

/** Of what somebody chose while the page was not alive yet, React heard nothing: it would set it back. */
function tellOfEarlyChoice(select: HTMLSelectElement | null): void {
  const rendered = [...(select?.options ?? [])].find((option) => option.defaultSelected);
  if (rendered && !rendered.selected) select?.dispatchEvent(new Event("change", { bubbles: true }));
}
