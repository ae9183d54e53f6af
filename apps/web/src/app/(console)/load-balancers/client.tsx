"use client";
import { strategies, strategyTypes } from "@fairlead/domain/exposure";
import { loadBalancerPhases } from "@fairlead/domain/load-balancer";
import { useQuery } from "@tanstack/react-query";
import { useMay } from "@/components/frame/session.tsx";
import { ChoiceFilter, FilterChip } from "@/components/table/choice-filter.tsx";
import { ListPage } from "@/components/table/list-page.tsx";
import { PeekTitle } from "@/components/table/peek-title.tsx";
import { useClusterName } from "@/components/table/use-cluster-name.ts";
import { useListParams } from "@/components/table/use-list-params.ts";
import { usePageQuery } from "@/components/table/use-page-query.ts";
import { Button } from "@/components/ui/action/button.tsx";
import { Link } from "@/components/ui/action/link.tsx";
import { EmptyState } from "@/components/ui/layout/empty-state.tsx";
import { statusLooks } from "@/components/ui/status/status.ts";
import { StatusBadge } from "@/components/ui/status/status-badge.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { loadBalancerColumns } from "./columns.tsx";
import { LoadBalancerPeek } from "./peek.tsx";
import { loadBalancerParams, toLoadBalancerInput } from "./search-params.ts";

const phaseOptions = loadBalancerPhases.map((word) => ({
  word,
  label: statusLooks[word].word,
  look: <StatusBadge status={word} />,
}));
const strategyOptions = strategyTypes.map((word) => ({ word, label: strategies[word].title }));

const columnsWithoutAddress = loadBalancerColumns.filter(({ id }) => id !== "address");

export function LoadBalancerList() {
  const trpc = useTRPC();
  const mayCreate = useMay("exposure:write");
  const mayReadMap = useMay("map:read");
  const [params, setParams, onParams] = useListParams(loadBalancerParams);
  const clusterName = useClusterName(params.cluster);
  const exposureName = useExposureName(params.exposure);
  const pageQuery = usePageQuery(toLoadBalancerInput(params), (page) => trpc.loadBalancer.list.queryOptions(page));

  return (
    <ListPage
      title="Load balancers"
      sentence={clusterName ? `All load balancers in ${clusterName}.` : "All load balancers, in all clusters."}
      noun={["load balancer", "load balancers"]}
      searchLabel={mayReadMap ? "Search by name or address" : "Search by name"}
      columns={mayReadMap ? loadBalancerColumns : columnsWithoutAddress}
      params={params}
      onParams={onParams}
      refreshEveryMs={30_000}
      pageQuery={pageQuery}
      filters={
        <>
          <ChoiceFilter
            label="State"
            options={phaseOptions}
            chosen={params.phase}
            onChoose={(phase) => setParams({ phase, row: null })}
          />
          <ChoiceFilter
            label="Strategy"
            options={strategyOptions}
            chosen={params.strategy}
            onChoose={(strategy) => setParams({ strategy, row: null })}
          />
          {params.exposure ? (
            <FilterChip label="Exposure" value={exposureName} onClear={() => setParams({ exposure: null, row: null })}>
              <span className="flex h-7 items-center gap-1.5 pl-2 font-medium text-xs">
                <span className="text-muted">Exposure:</span>
                <span className="max-w-40 truncate">{exposureName}</span>
              </span>
            </FilterChip>
          ) : null}
        </>
      }
      isFiltered={params.q !== "" || params.phase !== null || params.strategy !== null || params.exposure !== null}
      onClearFilters={() => setParams({ q: null, phase: null, strategy: null, exposure: null, row: null })}
      rowId={({ id }) => id}
      rowName={({ name }) => name}
      rowHref={({ id }) => `/load-balancers/${id}`}
      peekKind="Load balancer"
      peek={(id, row) => ({
        title: <PeekTitle row={row} query={trpc.loadBalancer.get.queryOptions({ id })} fallback="Load balancer" />,
        href: `/load-balancers/${id}`,
        body: <LoadBalancerPeek id={id} row={row} />,
      })}
      emptyYet={
        <EmptyState
          title={clusterName ? `No load balancers in ${clusterName}` : "No load balancers"}
          actions={
            mayCreate ? (
              <Button asChild variant="primary">
                <Link href="/exposures/new">Create exposure</Link>
              </Button>
            ) : undefined
          }
        >
          Load balancers are created for exposures. Create an exposure for a workload first.
        </EmptyState>
      }
    />
  );
}

function useExposureName(id: string | null): string {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.exposure.get.queryOptions({ id: id ?? "" }, { enabled: id !== null }));
  return data?.name ?? "one exposure";
}
