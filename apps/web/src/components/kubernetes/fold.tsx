import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";

/** Optional details behind a title. */
export function Fold({
  title,
  onOpen,
  children,
}: {
  title: ReactNode;
  onOpen?: (isOpen: boolean) => void;
  children: ReactNode;
}) {
  return (
    <details className="group/fold text-sm" onToggle={(event) => onOpen?.(event.currentTarget.open)}>
      <summary className="flex cursor-pointer list-none items-center gap-1.5 py-1 [&::-webkit-details-marker]:hidden">
        <ChevronRight
          className="size-4 shrink-0 text-muted transition-transform group-open/fold:rotate-90"
          aria-hidden
        />
        {title}
      </summary>
      <div className="mt-1 mb-2 ml-5 min-w-0">{children}</div>
    </details>
  );
}
