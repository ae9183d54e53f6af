import { type ClassValue, clsx } from "clsx";
import { twMerge } from "tailwind-merge";

/** classNames joins class lists; of two that set the same property the later wins, so that callers may override. */
export function classNames(...values: ClassValue[]): string {
  return twMerge(clsx(values));
}
