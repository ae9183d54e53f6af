"use client";
import { clusterSettingPath } from "@fairlead/domain/cluster";
import { NoMap } from "@/components/address-map/no-map.tsx";
import { FirstRows } from "@/components/detail/first-rows.tsx";
import { useMay } from "@/components/frame/session.tsx";
import { TextLink } from "@/components/ui/action/text-link.tsx";
import { ErrorState } from "@/components/ui/layout/error-state.tsx";
import { Section } from "@/components/ui/layout/section.tsx";
import { problemOf } from "@/trpc/problem.ts";
import { AnnouncementTable } from "./announcement-table.tsx";
import { CloudAddressTable } from "./cloud-address-table.tsx";
import { CutNote } from "./cut-note.tsx";
import { RouteTable } from "./route-table.tsx";
import { maxLookedUp, useAddressRouting } from "./use-address-routing.ts";

const firstShown = 8;

/** Where addresses are announced, and the next hops that routers and clouds have for them. */
export function AddressRouting({ clusterId, addresses }: { clusterId: string; addresses: readonly string[] }) {
  const mayRead = useMay("map:read");
  const { announcements, routes, cloudAddresses } = useAddressRouting(clusterId, addresses);
  const [first] = addresses;
  if (!mayRead) return <NoMap />;
  if (!first)
    return (
      <p className="text-muted text-sm">No address yet. Its routes appear once it has one and a replica is ready.</p>
    );
  const error = announcements.error ?? routes.error ?? cloudAddresses.error;
  if (error) return <ErrorState what="Could not look up its routes" message={problemOf(error).message} />;
  const placed = cloudAddresses.items?.filter(({ address }) => addresses.includes(address)) ?? [];
  const isAnnounced = announcements.items?.length !== 0 || routes.items?.length !== 0;
  const lookedUp = addresses.length === 1 ? first : "these addresses";
  const routingHref = `/routing?cluster=${clusterId}&address=${first}`;
  const leftOut = routes.pages[0]?.leftOut ?? [];
  return (
    <>
      {addresses.length > maxLookedUp ? (
        <p className="text-muted text-sm">{`The first ${maxLookedUp} of ${addresses.length} addresses.`}</p>
      ) : null}
      {isAnnounced ? (
        <>
          <Section
            title="Announcements"
            hint="by balancer, with the reason if not announced"
            actions={
              <TextLink href={routingHref} className="text-accent text-sm">
                View routing
              </TextLink>
            }
          >
            <FirstRows rows={announcements.items} first={firstShown}>
              {(items) => <AnnouncementTable page={items && { items }} lookedUp={lookedUp} />}
            </FirstRows>
            <CutNote of={announcements} href={routingHref} />
          </Section>
          <Section title="Next hops" hint="in routers' kernels, with the traffic that balancers measured">
            <FirstRows rows={routes.items} first={firstShown}>
              {(items) => <RouteTable page={items && { items, leftOut }} lookedUp={lookedUp} />}
            </FirstRows>
            <CutNote of={routes} href={routingHref} />
          </Section>
        </>
      ) : null}
      {placed.length > 0 ? (
        <Section title="Cloud routes" hint="the replica of each address">
          <FirstRows rows={placed} first={firstShown}>
            {(items = []) => <CloudAddressTable page={{ items, total: items.length }} shown={items.length} />}
          </FirstRows>
          <CutNote of={cloudAddresses} href={routingHref} />
        </Section>
      ) : null}
      {!isAnnounced && cloudAddresses.items && placed.length === 0 ? (
        <p className="text-muted text-sm">
          {`No balancer announces ${lookedUp}. `}
          <TextLink href={clusterSettingPath("routing", clusterId)} className="text-accent underline">
            View the routing of its cluster
          </TextLink>
        </p>
      ) : null}
    </>
  );
}
