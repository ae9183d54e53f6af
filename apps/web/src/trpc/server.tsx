import "server-only";
import { appRouter } from "@fairlead/api";
import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import { createTRPCOptionsProxy } from "@trpc/tanstack-react-query";
import { headers } from "next/headers";
import { cache, type ReactNode } from "react";
import { createContext } from "@/server/context.ts";
import { makeQueryClient } from "./query-client.ts";

export const getQueryClient = cache(() => makeQueryClient());

const getContext = cache(async () => createContext({ headers: await headers() }));

/** The router, called in this process: a page on the server asks the same procedures as the browser does later. */
export const trpc = createTRPCOptionsProxy({ ctx: getContext, router: appRouter, queryClient: getQueryClient });

/** The same, for answers that the server itself needs. */
export const getCaller = cache(async () => appRouter.createCaller(await getContext()));

type PrefetchOptions = Parameters<ReturnType<typeof getQueryClient>["prefetchQuery"]>[0];

/**
 * prefetch starts a query for the page. Awaited, its rows are in the HTML; failed, the browser asks again and says so.
 * The cast is needed because the options of one procedure are typed for its answer, and this takes those of all.
 */
export function prefetch(options: { queryKey: readonly unknown[] }): Promise<void> {
  return getQueryClient().prefetchQuery(options as PrefetchOptions);
}

export function HydrateClient({ children }: { children: ReactNode }) {
  return <HydrationBoundary state={dehydrate(getQueryClient())}>{children}</HydrationBoundary>;
}
