import type { ComponentProps } from "react";
import { classNames } from "./class-names.ts";

export const controlStyle =
  "w-full rounded-md border border-line-strong bg-raised text-ink text-sm transition-colors disabled:opacity-60 aria-invalid:border-bad focus-visible:outline-offset-0";

export function Input({ className, ...props }: ComponentProps<"input">) {
  return <input className={classNames(controlStyle, "h-8 px-2.5", className)} {...props} />;
}

export function Textarea({ className, ...props }: ComponentProps<"textarea">) {
  return <textarea className={classNames(controlStyle, "min-h-20 px-2.5 py-1.5", className)} {...props} />;
}
