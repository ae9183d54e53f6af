"use client";
import { useQuery } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import { EventList } from "@/components/detail/event-list.tsx";
import { useLiveInterval } from "@/components/detail/use-live-interval.ts";
import { RecentExperiments } from "@/components/experiment/recent-experiments.tsx";
import { SearchField } from "@/components/table/search-field.tsx";
import { useClusterName } from "@/components/table/use-cluster-name.ts";
import { Button } from "@/components/ui/button.tsx";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import { ErrorState } from "@/components/ui/error-state.tsx";
import { Link } from "@/components/ui/link.tsx";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { Section } from "@/components/ui/section.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { problemOf } from "@/trpc/problem.ts";
import { AnnouncementTable } from "./announcement-table.tsx";
import { CloudAddressTable } from "./cloud-address-table.tsx";
import { describeRouting } from "./describe-routing.ts";
import { layTopology } from "./lay-topology.ts";
import { RouteTable } from "./route-table.tsx";
import { RoutingFigures } from "./routing-figures.tsx";
import { RoutingTables } from "./routing-tables.tsx";
import {
  announcementsInput,
  cloudAddressesInput,
  routesInput,
  routingParams,
  sessionsInput,
  shown,
} from "./search-params.ts";
import { SessionTable } from "./session-table.tsx";
import { Topology } from "./topology.tsx";
import { UpdateDelays } from "./update-delays.tsx";

const eventsShown = 12;
const reasons = [
  "BgpSessionUp",
  "BgpSessionDown",
  "BgpRouteRefused",
  "Announced",
  "NotAnnounced",
  "AnnouncementDrains",
  "AddressPlaced",
  "AddressMoved",
  "AddressUnserved",
  "AddressRefused",
  "CloudRefused",
  "CloudUnreachable",
  "CloudLeftBehind",
  "NodeDraining",
  "NodeReturned",
] as const;

/** Who tells routers what by BGP, and what their kernels have of it. */
export function RoutingPage() {
  const trpc = useTRPC();
  const [params, setParams] = useQueryStates(routingParams);
  const refetchInterval = useLiveInterval();
  const live = { refetchInterval, placeholderData: <Data,>(before: Data) => before };
  const sessions = useQuery({ ...trpc.bgpSession.list.queryOptions(sessionsInput(params)), ...live });
  const announcements = useQuery({ ...trpc.announcement.list.queryOptions(announcementsInput(params)), ...live });
  const routes = useQuery({ ...trpc.route.list.queryOptions(routesInput(params)), ...live });
  const cloudAddresses = useQuery({ ...trpc.cloudAddress.list.queryOptions(cloudAddressesInput(params)), ...live });
  const events = useQuery({
    ...trpc.event.list.queryOptions({
      ...(params.cluster ? { clusterId: params.cluster } : {}),
      reason: [...reasons],
      limit: eventsShown,
    }),
    ...live,
  });
  const clusterName = useClusterName(params.cluster);
  const { error } = sessions;
  if (error && !sessions.data)
    return (
      <ErrorState
        what="Routing could not be read"
        message={problemOf(error).message}
        onRetry={() => void sessions.refetch()}
        retrying={sessions.isFetching}
      />
    );
  const picture = layTopology(sessions.data?.items ?? [], routes.data?.items ?? []);
  const isWithoutBgp = sessions.data?.total === 0 && announcements.data?.total === 0 && routes.data?.total === 0;
  const isEmpty = params.address === "" && isWithoutBgp && cloudAddresses.data?.total === 0;
  const head = (
    <PageHeader
      title="Routing"
      sentence={
        sessions.data && announcements.data
          ? describeRouting(picture.lines, announcements.data.items, clusterName)
          : null
      }
    />
  );
  if (isEmpty)
    return (
      <>
        {head}
        <NothingYet clusterId={params.cluster} />
      </>
    );
  const lookedUp = announcements.isPlaceholderData || routes.isPlaceholderData ? null : params.address.trim();
  return (
    <>
      {head}
      <RoutingFigures lines={sessions.data && picture.lines} announcements={announcements.data} routes={routes.data} />
      <div className="flex flex-col gap-8 px-4 py-6 md:px-6">
        <Topology picture={picture} ofRoutes={routes.data?.items.length ?? 0} />
        <div className="flex flex-col gap-4">
          <div className="flex">
            <SearchField
              label="Look up an address"
              value={params.address}
              onSearch={(address) => void setParams({ address: address || null })}
            />
          </div>
          <Section title="Announced" hint="What each balancer offers, and why it doesn’t.">
            <AnnouncementTable page={announcements.data} lookedUp={lookedUp} shown={shown} />
          </Section>
        </div>
        <Section title="Routes" hint="As routers’ kernels have them: flows spread evenly over the next hops.">
          <RouteTable page={routes.data} lookedUp={lookedUp} shown={shown} />
        </Section>
        <RoutingTables params={params} choose={(table) => void setParams({ table })} />
        <UpdateDelays params={params} />
        <RecentExperiments clusterId={params.cluster} />
        <Section title="Sessions" hint="Our end of each.">
          <SessionTable sessions={sessions.data?.items} />
        </Section>
        {cloudAddresses.data && cloudAddresses.data.total > 0 ? (
          <Section title="In the cloud" hint="Which replica a cloud brings each address to, where there is no BGP.">
            <CloudAddressTable page={cloudAddresses.data} shown={shown} />
          </Section>
        ) : null}
        <Section title="Timeline">
          <EventList
            events={events.data?.items}
            withSubject
            expected={4}
            empty="Nothing happened yet. Sessions that come up and go down, and what is announced or not, are told here."
          />
        </Section>
      </div>
    </>
  );
}

function NothingYet({ clusterId }: { clusterId: string | null }) {
  return (
    <EmptyState
      title="Nothing is told to routers by BGP yet"
      actions={
        <Button asChild variant="primary">
          <Link href={clusterId ? `/clusters/${clusterId}#routing` : "/clusters"}>
            {clusterId ? "Set up routing" : "Choose a cluster"}
          </Link>
        </Button>
      }
    >
      Give a cluster its AS, its reflectors and routers. An agent with the role speaker beside each balancer then
      announces the addresses that work, and this page shows where they arrive.
    </EmptyState>
  );
}
