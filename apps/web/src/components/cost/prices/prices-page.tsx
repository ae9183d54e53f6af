"use client";
import { useQuery } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import { useLiveInterval } from "@/components/detail/use-live-interval.ts";
import { DownloadList } from "@/components/table/download-list.tsx";
import { EmptyState } from "@/components/ui/layout/empty-state.tsx";
import { ErrorState } from "@/components/ui/layout/error-state.tsx";
import { PageHeader } from "@/components/ui/layout/page-header.tsx";
import { Section } from "@/components/ui/layout/section.tsx";
import { useNowOf } from "@/components/ui/time/now.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { problemOf } from "@/trpc/problem.ts";
import { HeldSection } from "./held-section.tsx";
import { ReadFeed } from "./read-feed.tsx";
import { describeHeld } from "./refresh-text.ts";
import { RefreshesTable } from "./refreshes-table.tsx";
import { heldInput, priceParams, refreshesInput, shown } from "./search-params.ts";

const soonMs = 2_000;

/** The prices from feeds: first those that need a decision, then every refresh. */
export function PricesPage() {
  const trpc = useTRPC();
  const [{ refresh }, setParams] = useQueryStates(priceParams);
  const liveMs = useLiveInterval(soonMs);
  const query = useQuery({
    ...trpc.priceRefresh.list.queryOptions(refreshesInput),
    // No change notification is sent when a controller starts.
    refetchInterval: ({ state }) => (state.data?.items.some(isOpen) ? liveMs : false),
  });
  const held = useQuery(trpc.priceRefresh.list.queryOptions(heldInput));
  const { data, error } = query;
  const waiting = held.data?.items.reduce((sum, each) => sum + each.waitingCount, 0) ?? 0;
  const sentence = useNowOf((now) => (data && held.data ? describeHeld(waiting, data.items[0], now) : ""));

  if (error && !data) return <Unread error={error} onRetry={() => void query.refetch()} retrying={query.isFetching} />;
  const chosen = refresh ? [refresh] : (held.data?.items.map(({ id }) => id) ?? []);
  return (
    <>
      <PageHeader title="Price refreshes" sentence={sentence} actions={<ReadFeed refreshes={data?.items} />} />
      {data?.total === 0 ? (
        <EmptyState title="No feed has been read">
          The built-in prices are used until then, each with its date. Read a feed above, or read feeds daily by setting{" "}
          <code className="font-mono">FAIRLEAD_PRICE_FEEDS</code>. Large price changes are held here for your decision.
        </EmptyState>
      ) : (
        <div className="flex flex-col gap-8 px-4 py-2 pb-10 md:px-6">
          {chosen.map((id) => (
            <HeldSection key={id} id={id} onClose={refresh ? () => void setParams({ refresh: null }) : null} />
          ))}
          <Section
            title="Refreshes"
            hint={data && data.total > shown ? `the newest ${shown} of ${data.total}` : null}
            actions={
              <DownloadList
                name="price refreshes"
                total={data?.total}
                pageQuery={(offset, limit) => trpc.priceRefresh.list.queryOptions({ offset, limit })}
              />
            }
          >
            <RefreshesTable refreshes={data?.items} chosen={refresh} />
          </Section>
        </div>
      )}
    </>
  );
}

function isOpen({ state }: { state: string }): boolean {
  return state === "waiting" || state === "running";
}

function Unread({ error, onRetry, retrying }: { error: unknown; onRetry: () => void; retrying: boolean }) {
  const { code, message } = problemOf(error);
  return (
    <>
      <PageHeader title="Price refreshes" />
      {code === "forbidden" ? (
        <EmptyState title="Your role can't view price refreshes">{message}</EmptyState>
      ) : (
        <ErrorState what="Could not load price refreshes" message={message} onRetry={onRetry} retrying={retrying} />
      )}
    </>
  );
}
