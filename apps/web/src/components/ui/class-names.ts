import { type ClassValue, clsx } from "clsx";
import { twMerge } from "tailwind-merge";

/**
 * classNames joins class lists. If two classes set the same property, the later one wins, so that callers can override.
 */
export function classNames(...values: ClassValue[]): string {
  return twMerge(clsx(values));
}
