"use client";
import type { AppRouter } from "@fairlead/api";
import { transformer } from "@fairlead/api/transformer";
import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createTRPCClient, httpBatchLink, httpSubscriptionLink, splitLink } from "@trpc/client";
import { createTRPCContext } from "@trpc/tanstack-react-query";
import { type ReactNode, useState } from "react";
import { noteSignedOut } from "@/live/session-state.ts";
import { isSignedOut } from "./problem.ts";
import { makeQueryClient } from "./query-client.ts";

export const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<AppRouter>();

const url = "/api/trpc";

function makeClient() {
  return createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: (operation) => operation.type === "subscription",
        true: httpSubscriptionLink({ url, transformer }),
        // Several small answers arrive sooner than one that waits for the slowest of many.
        false: httpBatchLink({ url, transformer, maxItems: 6 }),
      }),
    ],
  });
}

let browserClient: QueryClient | undefined;

/** One cache per tab, one per request on the server. */
function getQueryClient(): QueryClient {
  const onError = (error: unknown) => {
    if (isSignedOut(error)) noteSignedOut();
  };
  if (typeof window === "undefined") return makeQueryClient();
  browserClient ??= makeQueryClient(onError);
  return browserClient;
}

export function TRPCReactProvider({ children }: { children: ReactNode }) {
  const queryClient = getQueryClient();
  const [trpcClient] = useState(makeClient);
  return (
    <QueryClientProvider client={queryClient}>
      <TRPCProvider trpcClient={trpcClient} queryClient={queryClient}>
        {children}
      </TRPCProvider>
    </QueryClientProvider>
  );
}
