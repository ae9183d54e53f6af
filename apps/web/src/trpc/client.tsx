"use client";
import type { AppRouter } from "@fairlead/api";
import { transformer } from "@fairlead/api/transformer";
import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createTRPCClient, httpBatchLink, httpSubscriptionLink, splitLink } from "@trpc/client";
import { createTRPCContext } from "@trpc/tanstack-react-query";
import { type ReactNode, useMemo } from "react";
import { noteSession } from "@/live/session-state.ts";
import { isElsewhere, isSignedOut } from "./problem.ts";
import { createQueryClient } from "./query-client.ts";
import { sessionFetch } from "./session-fetch.ts";
import { shownOrganizationHeader } from "./shown-organization.ts";

export const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<AppRouter>();

const url = "/api/trpc";

/** What a page reads every few seconds. */
const repeated = ["series.chart", "node.getChanges"];

function createClient(organizationId: string) {
  const shown = { [shownOrganizationHeader]: organizationId };
  return createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: (operation) => operation.type === "subscription",
        true: httpSubscriptionLink({ url, transformer, connectionParams: shown }),
        false: splitLink({
          condition: ({ path }) => repeated.includes(path),
          // The queries of one tick share a response, because together they compress to much less.
          true: httpBatchLink({ url, transformer, maxItems: 12, headers: shown, fetch: sessionFetch }),
          // Several small responses arrive sooner than one that waits for the slowest query.
          false: httpBatchLink({ url, transformer, maxItems: 6, headers: shown, fetch: sessionFetch }),
        }),
      }),
    ],
  });
}

let kept: { organizationId: string; client: QueryClient } | undefined;

/** One cache per tab and organisation, one per request on the server. */
function getQueryClient(organizationId: string): QueryClient {
  const onError = (error: unknown) => {
    if (isSignedOut(error)) noteSession("signed-out");
    if (isElsewhere(error)) noteSession("elsewhere");
  };
  if (typeof window === "undefined") return createQueryClient();
  if (kept?.organizationId !== organizationId) kept = { organizationId, client: createQueryClient(onError) };
  return kept.client;
}

/** The query client of one organisation. */
export function TRPCReactProvider({ organizationId, children }: { organizationId: string; children: ReactNode }) {
  const queryClient = getQueryClient(organizationId);
  const trpcClient = useMemo(() => createClient(organizationId), [organizationId]);
  return (
    <QueryClientProvider client={queryClient}>
      <TRPCProvider trpcClient={trpcClient} queryClient={queryClient}>
        {children}
      </TRPCProvider>
    </QueryClientProvider>
  );
}
