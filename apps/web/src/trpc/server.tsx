import "server-only";
import { appRouter, createCaller, currentCursor } from "@fairlead/api";
import { dehydrate, type FetchQueryOptions, HydrationBoundary } from "@tanstack/react-query";
import { createTRPCOptionsProxy } from "@trpc/tanstack-react-query";
import { headers } from "next/headers";
import { cache, type ReactNode } from "react";
import { createContext } from "@/server/context.ts";
import { ForOrganization } from "./for-organization.tsx";
import { createQueryClient } from "./query-client.ts";

export const getQueryClient = cache(() => createQueryClient());

const getContext = cache(async () => createContext({ headers: await headers() }));

/** The router, called in this process: pages on the server use the same procedures as the browser. */
export const trpc = createTRPCOptionsProxy({ ctx: getContext, router: appRouter, queryClient: getQueryClient });

/** The same, for results that the server itself needs. */
export const getCaller = cache(async () => createCaller(await getContext()));

/** The cursor of the feed before anything of this page was fetched; null if it is unavailable. */
export const getFeedCursor = cache(async () => currentCursor(await getContext()).catch(() => null));

/**
 * prefetch fetches data for the page. If it succeeds, the rows are in the HTML. If it fails, the browser fetches again
 * and shows the error.
 */
export async function prefetch<Data, Failure, Seen, Key extends readonly unknown[]>(
  options: FetchQueryOptions<Data, Failure, Seen, Key>,
): Promise<void> {
  await getFeedCursor();
  await getQueryClient().prefetchQuery(options);
}

/** fetched returns what a page fetches, for the title of its tab; undefined if it can't be fetched. */
export async function fetched<Data, Failure, Key extends readonly unknown[]>(
  options: FetchQueryOptions<Data, Failure, Data, Key>,
): Promise<Data | undefined> {
  await prefetch(options);
  return getQueryClient().getQueryData<Data>(options.queryKey);
}

/**
 * Passes the fetched data to the browser, for the organisation it was fetched in. Without an organisation, there is no
 * data to pass.
 */
export async function HydrateClient({ children }: { children: ReactNode }) {
  const place = await (await getContext()).identify().catch(() => null);
  if (!place) return children;
  return (
    <ForOrganization id={place.organizationId}>
      <HydrationBoundary state={dehydrate(getQueryClient())}>{children}</HydrationBoundary>
    </ForOrganization>
  );
}
