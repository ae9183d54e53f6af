import { docs } from "@/server/docs.ts";
import { TextLink } from "../ui/action/text-link.tsx";
import { searchDocs } from "./search-docs.ts";

const most = 50;

/** The sections that match a search. */
export async function SearchResults({ query }: { query: string }) {
  const hits = searchDocs(await docs(), query, most);
  return (
    <>
      <h1 className="font-semibold text-2xl tracking-tight">Search</h1>
      <p className="mt-2 text-muted" role="status">
        {hits.length === 0
          ? `No results for “${query}”. Search for fewer or other words.`
          : `${hits.length === most ? `The first ${most}` : hits.length} ${hits.length === 1 ? "result" : "results"} for “${query}”.`}
      </p>
      <ul className="mt-5 flex flex-col gap-4">
        {hits.map(({ href, page, heading, snippet }) => (
          <li key={href}>
            <TextLink href={href} className="font-medium text-accent">
              {heading}
            </TextLink>
            {heading === page ? null : <span className="ml-2 text-muted text-xs">{page}</span>}
            <p className="break-words text-muted text-sm">{snippet}</p>
          </li>
        ))}
      </ul>
    </>
  );
}
