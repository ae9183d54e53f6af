import { classNames } from "./class-names.ts";

/** The place of something that is on its way, in its size. It stands still: hundreds that pulse hold up what they announce. Says nothing to a screen reader: the region says "busy". */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={classNames("skeleton block h-3.5 w-24", className)} />;
}
