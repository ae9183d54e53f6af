import type { ReactNode } from "react";

/** A heading that links to itself, so that its address can be copied. */
export function DocsHeading({ id, depth, children }: { id: string | null; depth: number; children: ReactNode }) {
  const Kind = depth === 2 ? "h2" : "h3";
  return (
    <Kind
      {...(id ? { id } : {})}
      className={
        depth === 2
          ? "mt-9 mb-3 scroll-mt-16 border-b pb-1.5 font-semibold text-lg"
          : "mt-6 mb-2 scroll-mt-16 font-semibold text-base"
      }
    >
      {id ? (
        <a href={`#${id}`} className="group underline-offset-2 hover:underline">
          {children}
          <span
            aria-hidden
            className="ml-2 text-muted opacity-0 group-hover:opacity-100 group-focus-visible:opacity-100"
          >
            #
          </span>
        </a>
      ) : (
        children
      )}
    </Kind>
  );
}
