import { defaultShouldDehydrateQuery, MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";

/** How long rows count as fresh by default. The live stream invalidates them as soon as they change. */
const staleMs = 30_000;

export function createQueryClient(onError: (error: unknown) => void = () => {}): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: staleMs,
        gcTime: 5 * 60_000,
        retry: (failures, error) => failures < 2 && isOutage(error),
        retryDelay: (failures) => Math.min(500 * 2 ** failures, 4_000),
      },
      dehydrate: {
        shouldDehydrateQuery: (query) => defaultShouldDehydrateQuery(query) || query.state.status === "pending",
      },
    },
  });
}

/** A response below 500 is final, so a retry would get the same one. */
function isOutage(error: unknown): boolean {
  const status = (error as { data?: { httpStatus?: unknown } | null })?.data?.httpStatus;
  return typeof status !== "number" || status >= 500 || status === 429;
}
