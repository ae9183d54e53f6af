"use client";
import { clusterSettingPath } from "@fairlead/domain/cluster";
import { useQuery } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import { useLiveInterval } from "@/components/detail/use-live-interval.ts";
import { RecentExperiments } from "@/components/experiment/recent-experiments.tsx";
import { DownloadList } from "@/components/table/download-list.tsx";
import { SearchField } from "@/components/table/search-field.tsx";
import { useClusterName } from "@/components/table/use-cluster-name.ts";
import { Button } from "@/components/ui/action/button.tsx";
import { Link } from "@/components/ui/action/link.tsx";
import { EmptyState } from "@/components/ui/layout/empty-state.tsx";
import { ErrorState } from "@/components/ui/layout/error-state.tsx";
import { PageHeader } from "@/components/ui/layout/page-header.tsx";
import { Section } from "@/components/ui/layout/section.tsx";
import { useTRPC, useTRPCClient } from "@/trpc/client.tsx";
import { problemOf } from "@/trpc/problem.ts";
import { AnnouncementTable } from "./announcement-table.tsx";
import { CloudAddressTable } from "./cloud-address-table.tsx";
import { describeRouting } from "./describe-routing.ts";
import { KernelAnswers } from "./kernel-answers.tsx";
import { PageTurner } from "./page-turner.tsx";
import { RouteTable } from "./route-table.tsx";
import { RoutingFigures } from "./routing-figures.tsx";
import { RoutingTables } from "./routing-tables.tsx";
import {
  announcementsInput,
  cloudAddressesInput,
  lookedUpIn,
  routesInput,
  routingParams,
  sessionsInput,
  shown,
  summaryInput,
} from "./search-params.ts";
import { SessionTable } from "./session-table.tsx";
import { Timeline } from "./timeline.tsx";
import { Topology } from "./topology.tsx";
import { UpdateDelays } from "./update-delays.tsx";

/** BGP sessions, announcements, and the routes in routers' kernels. */
export function RoutingPage() {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const [params, setParams] = useQueryStates(routingParams);
  const refetchInterval = useLiveInterval();
  const live = { refetchInterval, placeholderData: <Data,>(before: Data) => before };
  const summary = useQuery({ ...trpc.routing.summary.queryOptions(summaryInput(params)), ...live });
  const sessions = useQuery({ ...trpc.bgpSession.list.queryOptions(sessionsInput(params)), ...live });
  const announcements = useQuery({ ...trpc.announcement.list.queryOptions(announcementsInput(params)), ...live });
  const routes = useQuery({ ...trpc.route.list.queryOptions(routesInput(params)), ...live });
  const cloudAddresses = useQuery({ ...trpc.cloudAddress.list.queryOptions(cloudAddressesInput(params)), ...live });
  const clusterName = useClusterName(params.cluster);
  const { error } = summary;
  if (error && !summary.data)
    return (
      <ErrorState
        what="Could not load routing"
        message={problemOf(error).message}
        onRetry={() => void summary.refetch()}
        retrying={summary.isFetching}
      />
    );
  const counted = summary.data;
  const isWithoutBgp = counted?.sessions.total === 0 && counted.announcements.total === 0 && counted.routes.total === 0;
  const isByCloud = (cloudAddresses.data?.total ?? 0) > 0;
  const head = <PageHeader title="Routing" sentence={counted ? describeRouting(counted, clusterName) : null} />;
  const inTheCloud = isByCloud ? (
    <Section title="Cloud routes" hint="The replica of each address.">
      <CloudAddressTable page={cloudAddresses.data} shown={shown} />
    </Section>
  ) : null;
  if (params.address === "" && isWithoutBgp && cloudAddresses.data)
    return (
      <>
        {head}
        {isByCloud ? (
          <div className="flex flex-col gap-8 px-4 py-6 md:px-6">
            {inTheCloud}
            <Timeline params={params} />
          </div>
        ) : (
          <NothingYet clusterId={params.cluster} />
        )}
      </>
    );
  const wanted = lookedUpIn(params.address);
  const lookedUp = announcements.isPlaceholderData || routes.isPlaceholderData ? null : wanted;
  return (
    <>
      {head}
      <RoutingFigures summary={counted} />
      <div className="flex flex-col gap-8 px-4 py-6 md:px-6">
        <Topology summary={counted} />
        <div className="flex flex-col gap-4">
          <div className="flex flex-wrap items-center gap-3">
            <SearchField
              label="Look up an address or a prefix"
              value={params.address}
              onSearch={(address) =>
                void setParams({ address: address || null, announcedFrom: null, routesFrom: null })
              }
            />
            {params.address.trim() && !wanted ? (
              <p role="status" className="text-muted text-sm">
                Enter an address, such as 203.0.113.7, or a prefix, such as 203.0.113.0/24. Until then, everything is
                shown.
              </p>
            ) : null}
          </div>
          <Section
            title="Announcements"
            hint="Prefixes by balancer, with the reason if not announced."
            actions={
              <DownloadList
                name="announcements"
                total={announcements.data?.total}
                pageQuery={(offset, limit) =>
                  trpc.announcement.list.queryOptions({ ...announcementsInput(params), offset, limit })
                }
              />
            }
          >
            <AnnouncementTable page={announcements.data} lookedUp={lookedUp} />
            <PageTurner
              page={announcements.data}
              offset={params.announcedFrom}
              limit={shown}
              noun="announcement"
              turn={(announcedFrom) => void setParams({ announcedFrom })}
            />
          </Section>
        </div>
        <Section
          title="Routes"
          hint="Routes in routers' kernels, and the traffic that balancers measured."
          actions={
            <DownloadList
              name="routes"
              total={routes.data?.total}
              pageQuery={(offset, limit) => {
                const input = { ...routesInput(params), offset, limit };
                return { queryKey: trpc.route.list.queryKey(input), queryFn: () => client.route.list.query(input) };
              }}
            />
          }
        >
          <RouteTable page={routes.data} lookedUp={lookedUp} />
          <PageTurner
            page={routes.data}
            offset={params.routesFrom}
            limit={shown}
            noun="route"
            turn={(routesFrom) => void setParams({ routesFrom })}
          />
          <KernelAnswers leftOut={routes.data?.leftOut ?? []} lookedUp={lookedUp} />
        </Section>
        <RoutingTables params={params} choose={(table) => void setParams({ table })} />
        <UpdateDelays params={params} />
        <RecentExperiments clusterId={params.cluster} />
        <Section
          title="Sessions"
          hint="The local end of each session."
          actions={
            <DownloadList
              name="sessions"
              total={sessions.data?.total}
              pageQuery={(offset, limit) =>
                trpc.bgpSession.list.queryOptions({ ...sessionsInput(params), offset, limit })
              }
            />
          }
        >
          <SessionTable sessions={sessions.data?.items} />
          <PageTurner
            page={sessions.data}
            offset={params.sessionsFrom}
            limit={shown}
            noun="session"
            turn={(sessionsFrom) => void setParams({ sessionsFrom })}
          />
        </Section>
        {inTheCloud}
        <Timeline params={params} />
      </div>
    </>
  );
}

function NothingYet({ clusterId }: { clusterId: string | null }) {
  return (
    <EmptyState
      title="No BGP routing yet"
      actions={
        <Button asChild variant="primary">
          <Link href={clusterId ? clusterSettingPath("routing", clusterId) : "/clusters"}>
            {clusterId ? "Set up routing" : "Select a cluster"}
          </Link>
        </Button>
      }
    >
      Set an AS, reflectors and routers for a cluster. Agents with the role speaker then announce the addresses of
      healthy balancers. This page shows which routers receive the routes.
    </EmptyState>
  );
}
