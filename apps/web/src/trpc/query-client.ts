import { defaultShouldDehydrateQuery, MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";

/** How long rows count as fresh when nothing says otherwise. The live stream invalidates them the moment they change. */
const staleMs = 30_000;

export function makeQueryClient(onError: (error: unknown) => void = () => {}): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: staleMs,
        gcTime: 5 * 60_000,
        retry: (failures, error) => failures < 2 && isWeather(error),
        retryDelay: (failures) => Math.min(500 * 2 ** failures, 4_000),
      },
      dehydrate: {
        shouldDehydrateQuery: (query) => defaultShouldDehydrateQuery(query) || query.state.status === "pending",
      },
    },
  });
}

/** An answer below 500 is a decision, and asking again gets the same one. */
function isWeather(error: unknown): boolean {
  const status = (error as { data?: { httpStatus?: unknown } | null })?.data?.httpStatus;
  return typeof status !== "number" || status >= 500 || status === 429;
}
