"use client";
import type { ComponentProps } from "react";
import { classNames } from "../class-names.ts";
import { useEarlyInput } from "./use-early-input.ts";

export const controlStyle =
  "w-full rounded-md border border-line-strong bg-raised text-ink text-sm transition-colors disabled:opacity-60 aria-invalid:border-bad focus-visible:outline-offset-0";

// Autocomplete is off by default: values that the browser restores from an earlier visit would count as input.
export function Input({ className, ref, ...props }: ComponentProps<"input">) {
  return (
    <input
      ref={useEarlyInput(ref)}
      autoComplete="off"
      className={classNames(controlStyle, "h-8 px-2.5", className)}
      {...props}
    />
  );
}

export function Textarea({ className, ref, ...props }: ComponentProps<"textarea">) {
  return (
    <textarea
      ref={useEarlyInput(ref)}
      autoComplete="off"
      className={classNames(controlStyle, "min-h-20 px-2.5 py-1.5", className)}
      {...props}
    />
  );
}
