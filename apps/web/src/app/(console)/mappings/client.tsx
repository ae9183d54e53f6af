"use client";
import { formatEndpoint } from "@fairlead/domain/address";
import { useQuery } from "@tanstack/react-query";
import { readyLooks } from "@/components/address-map/ready-badge.tsx";
import { useMay } from "@/components/frame/session.tsx";
import { RequirePermission } from "@/components/settings/require-permission.tsx";
import { ChoiceFilter, FilterChip } from "@/components/table/choice-filter.tsx";
import { ListPage } from "@/components/table/list-page.tsx";
import { useClusterName } from "@/components/table/use-cluster-name.ts";
import { useListParams } from "@/components/table/use-list-params.ts";
import { usePageQuery } from "@/components/table/use-page-query.ts";
import { Button } from "@/components/ui/action/button.tsx";
import { Link } from "@/components/ui/action/link.tsx";
import { EmptyState } from "@/components/ui/layout/empty-state.tsx";
import { PageHeader } from "@/components/ui/layout/page-header.tsx";
import { StatusBadge } from "@/components/ui/status/status-badge.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { mappingColumns } from "./columns.tsx";
import { MappingPeek } from "./peek.tsx";
import { mappingParams, readiness, toMappingInput } from "./search-params.ts";

const readyOptions = readiness.map((word) => ({
  word,
  label: readyLooks[word].word,
  look: <StatusBadge status={readyLooks[word]} />,
}));

const content = "Internal and external addresses of each instance";

/** The list of mappings, or the reason why there is none for this user. */
export function Mappings() {
  if (useMay("map:read")) return <MappingList />;
  return (
    <>
      <PageHeader title="Mappings" sentence={`${content}.`} />
      <RequirePermission permission="map:read" title="No access to mappings">
        {null}
      </RequirePermission>
    </>
  );
}

function MappingList() {
  const trpc = useTRPC();
  const mayCreate = useMay("exposure:write");
  const [params, setParams, onParams] = useListParams(mappingParams);
  const clusterName = useClusterName(params.cluster);
  const exposureName = useExposureName(params.exposure);
  const pageQuery = usePageQuery(toMappingInput(params), (page) => trpc.addressMapping.list.queryOptions(page));

  return (
    <ListPage
      title="Mappings"
      sentence={`${content}, in ${clusterName ?? "all clusters"}.`}
      noun={["mapping", "mappings"]}
      searchLabel="Search by instance, address or node"
      columns={mappingColumns}
      params={params}
      onParams={onParams}
      refreshEveryMs={30_000}
      pageQuery={pageQuery}
      filters={
        <>
          <ChoiceFilter
            label="State"
            options={readyOptions}
            chosen={params.ready}
            onChoose={(ready) => setParams({ ready, row: null })}
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
      isFiltered={params.q !== "" || params.ready !== null || params.exposure !== null}
      onClearFilters={() => setParams({ q: null, ready: null, exposure: null, row: null })}
      rowId={({ id }) => id}
      rowName={({ instance, internalAddress, internalPort }) =>
        `${instance}, ${formatEndpoint(internalAddress, internalPort)}`
      }
      rowHref={({ exposureId }) => `/exposures/${exposureId}?tab=map`}
      peekKind="Mapping"
      peek={(_, row) => ({
        title: row?.instance ?? "Mapping",
        ...(row ? { href: `/exposures/${row.exposureId}?tab=map` } : {}),
        body: <MappingPeek mapping={row} />,
      })}
      emptyYet={
        <EmptyState
          title={clusterName ? `No mappings in ${clusterName}` : "No mappings"}
          actions={
            mayCreate ? (
              <Button asChild variant="primary">
                <Link href="/exposures/new">Create exposure</Link>
              </Button>
            ) : undefined
          }
        >
          An exposure with the strategy “per replica” gives each instance its own external address. Clients of Redis
          Cluster, Kafka or Infinispan look up the external address of an instance here.
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
