import type { Move } from "@fairlead/domain/move";
import { useQuery } from "@tanstack/react-query";
import { useLiveInterval } from "@/components/detail/use-live-interval.ts";
import { useTRPC } from "@/trpc/client.tsx";

/** useLatestMove returns the last move of an exposure; undefined while it is loading, and if there is none. */
export function useLatestMove(exposureId: string): Move | undefined {
  const trpc = useTRPC();
  const query = useQuery({
    ...trpc.move.list.queryOptions({ exposureId, limit: 1 }),
    refetchInterval: useLiveInterval(5_000),
  });
  return query.data?.items[0];
}
