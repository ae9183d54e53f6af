import { ErrorState } from "@/components/ui/layout/error-state.tsx";
import { problemOf } from "@/trpc/problem.ts";

/** The part of a query that decides whether there is something to show. */
export type QueryState<Data> = { data: Data | undefined; error: unknown; isFetching: boolean; refetch: () => unknown };

/** Why a part of a page can't be shown, with a button that repeats its query. */
export function LoadError({ label, query }: { label: string; query: QueryState<unknown> }) {
  return (
    <ErrorState
      what={`Could not load: ${label}`}
      message={problemOf(query.error).message}
      onRetry={() => void query.refetch()}
      retrying={query.isFetching}
    />
  );
}
