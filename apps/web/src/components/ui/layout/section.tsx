import { type ReactNode, useId } from "react";
import { DocsLink } from "@/components/docs/docs-link.tsx";
import type { DocsTopic } from "@/components/docs/docs-topics.ts";
import { classNames } from "../class-names.ts";

/** A part of a page: a heading over a hairline. No box, so that boxes never nest. */
export function Section({
  title,
  hint,
  docs,
  actions,
  className,
  children,
}: {
  title: string;
  hint?: ReactNode;
  /** The paragraph that explains the content, such as what charts show. */
  docs?: DocsTopic;
  actions?: ReactNode;
  className?: string;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={classNames("flex flex-col", className)}>
      <header className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1 border-b pb-1.5">
        <h2 id={id} className="font-semibold text-base">
          {title}
        </h2>
        {docs ? <DocsLink topic={docs} /> : null}
        {hint ? <div className="text-muted text-sm">{hint}</div> : null}
        {actions ? <div className="ml-auto flex items-center gap-2">{actions}</div> : null}
      </header>
      <div className="pt-3">{children}</div>
    </section>
  );
}
