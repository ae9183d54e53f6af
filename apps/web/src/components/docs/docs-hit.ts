import { z } from "zod";

const docsHit = z.object({ href: z.string(), page: z.string(), heading: z.string(), snippet: z.string() });

/** A section of the documentation that matches a search. */
export type DocsHit = z.infer<typeof docsHit>;

/** The response of /docs/search. */
export const docsHits = z.object({ hits: z.array(docsHit) });
