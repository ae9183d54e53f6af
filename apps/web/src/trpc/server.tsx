import "server-only";
import { appRouter, createCaller, currentCursor } from "@fairlead/api";
import { dehydrate, type FetchQueryOptions, HydrationBoundary } from "@tanstack/react-query";
import { createTRPCOptionsProxy } from "@trpc/tanstack-react-query";
import { headers } from "next/headers";
import { cache, type ReactNode } from "react";
import { createContext } from "@/server/context.ts";
import { ForOrganization } from "./for-organization.tsx";
import { makeQueryClient } from "./query-client.ts";

export const getQueryClient = cache(() => makeQueryClient());

const getContext = cache(async () => createContext({ headers: await headers() }));

/** The router, called in this process: a page on the server asks the same procedures as the browser does later. */
export const trpc = createTRPCOptionsProxy({ ctx: getContext, router: appRouter, queryClient: getQueryClient });

/** The same, for answers that the server itself needs. */
export const getCaller = cache(async () => createCaller(await getContext()));

/** Where the feed stood before anything of this page was read; null when that can't be known. */
export const getFeedCursor = cache(async () => currentCursor(await getContext()).catch(() => null));

/** prefetch reads for the page. Awaited, its rows are in the HTML; failed, the browser asks again and says so. */
export async function prefetch<Data, Failure, Seen, Key extends readonly unknown[]>(
  options: FetchQueryOptions<Data, Failure, Seen, Key>,
): Promise<void> {
  await getFeedCursor();
  await getQueryClient().prefetchQuery(options);
}

/** Hands what was read to the browser, for the organisation that it was read in. Of nobody's there is nothing to hand on. */
export async function HydrateClient({ children }: { children: ReactNode }) {
  const place = await (await getContext()).identify().catch(() => null);
  if (!place) return children;
  return (
    <ForOrganization id={place.organizationId}>
      <HydrationBoundary state={dehydrate(getQueryClient())}>{children}</HydrationBoundary>
    </ForOrganization>
  );
}
