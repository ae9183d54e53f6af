"use client";
import { ChevronDown } from "lucide-react";
import type { ComponentProps } from "react";
import { classNames } from "../class-names.ts";
import { controlStyle } from "./input.tsx";
import { useEarlyInput } from "./use-early-input.ts";

/** The native select, which works with keyboard, touch and speech input without extra code. */
export function Select({ className, children, ...props }: ComponentProps<"select">) {
  return (
    <span className={classNames("relative inline-flex w-full", className)}>
      {/*
       * Off: a value that the browser restores would be reported as a selection, and some selections are submitted at
       * once.
       */}
      <select
        ref={useEarlyInput()}
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
