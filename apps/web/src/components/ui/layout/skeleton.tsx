import { classNames } from "../class-names.ts";

/**
 * A placeholder in the size of the content. Not animated, because hundreds of animations slow the page down. Hidden
 * from screen readers: the region has aria-busy.
 */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={classNames("skeleton block h-3.5 w-24", className)} />;
}
