import type { ReactNode } from "react";
import { PageDocsLink } from "@/components/docs/page-docs-link.tsx";

/** The header of a page: its title, a summary of the state, its documentation, and the actions. */
export function PageHeader({
  title,
  sentence,
  before,
  actions,
}: {
  title: ReactNode;
  sentence?: ReactNode;
  /** Above the title: the breadcrumbs. */
  before?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <header className="flex flex-wrap items-end gap-x-6 gap-y-3 px-4 pt-5 pb-4 md:px-6">
      <div className="min-w-0 flex-1 basis-64">
        {before ? <div className="mb-1 text-muted text-sm">{before}</div> : null}
        <h1 className="font-semibold text-xl tracking-tight">{title}</h1>
        {sentence ? <div className="mt-0.5 min-h-5 text-muted text-sm">{sentence}</div> : null}
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <PageDocsLink />
        {actions}
      </div>
    </header>
  );
}
