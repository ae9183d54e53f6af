import { docs } from "@/server/docs.ts";
import { TextLink } from "../ui/action/text-link.tsx";
import { DocsFrame } from "./docs-frame.tsx";
import { groupDocs } from "./docs-groups.ts";
import { SearchResults } from "./search-results.tsx";

/** The first page of the documentation: every page with its first paragraph, or the results of a search. */
export async function DocsStart({ query }: { query: string }) {
  if (query)
    return (
      <DocsFrame current={null}>
        <SearchResults query={query} />
      </DocsFrame>
    );
  return (
    <DocsFrame current={null}>
      <h1 className="font-semibold text-2xl tracking-tight">Documentation</h1>
      <p className="mt-3 text-muted">For this version of Fairlead. Press / to search.</p>
      {groupDocs(await docs()).map(({ title, pages }) => (
        <section key={title}>
          <h2 className="mt-8 mb-2 border-b pb-1.5 font-semibold text-lg">{title}</h2>
          <ul className="flex flex-col gap-3">
            {pages.map(({ path, title: name, summary }) => (
              <li key={path}>
                <TextLink href={`/docs/${path}`} className="font-medium text-accent">
                  {name}
                </TextLink>
                {title === "Decisions" ? null : <p className="line-clamp-2 text-muted text-sm">{summary}</p>}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </DocsFrame>
  );
}
