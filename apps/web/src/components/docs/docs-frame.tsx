import type { ReactNode } from "react";
import { docs } from "@/server/docs.ts";
import { groupDocs } from "./docs-groups.ts";
import { DocsList } from "./docs-list.tsx";

/** The columns of a documentation page: all pages, the content, and the contents of this page. On a phone, the lists fold. */
export async function DocsFrame({
  current,
  contents,
  children,
}: {
  current: string | null;
  contents?: ReactNode;
  children: ReactNode;
}) {
  const groups = groupDocs(await docs());
  return (
    <div className="mx-auto grid w-full max-w-[88rem] gap-x-10 px-4 md:px-6 lg:grid-cols-[14rem_minmax(0,1fr)] xl:grid-cols-[14rem_minmax(0,46rem)_14rem]">
      <details className="mt-3 rounded-md border px-3 py-2 lg:hidden">
        <summary className="font-medium text-sm">All pages</summary>
        <div className="pt-3">
          <DocsList groups={groups} current={current} label="All pages" />
        </div>
      </details>
      <div className="sticky top-12 hidden max-h-[calc(100dvh-3rem)] self-start overflow-y-auto py-6 lg:block">
        <DocsList groups={groups} current={current} label="All pages" />
      </div>
      <main id="content" tabIndex={-1} className="relative min-w-0 pt-5 pb-16 outline-none">
        {children}
      </main>
      <div className="sticky top-12 hidden max-h-[calc(100dvh-3rem)] self-start overflow-y-auto py-6 xl:block">
        {contents}
      </div>
    </div>
  );
}
