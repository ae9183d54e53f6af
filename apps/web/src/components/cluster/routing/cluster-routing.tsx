"use client";
import type { Cluster } from "@fairlead/domain/cluster";
import type { ShownClusterRouting } from "@fairlead/domain/routing";
import { Waypoints } from "lucide-react";
import { Facts } from "@/components/table/facts.tsx";
import { Mono } from "@/components/ui/mono.tsx";
import { ClusterSetting, Unset } from "../cluster-setting.tsx";
import { RouterConfig } from "./router-config.tsx";
import { RoutingForm } from "./routing-form.tsx";

/** What the cluster's balancers advertise to routers, and the matching configuration of those routers. */
export function ClusterRouting({ cluster }: { cluster: Cluster }) {
  const { routing } = cluster;
  return (
    <ClusterSetting
      id="routing"
      title="Routing"
      link={routing ? { href: `/routing?cluster=${cluster.id}`, label: "View routing" } : null}
      action={{ icon: Waypoints, label: routing ? "Change" : "Set up" }}
      dialog={{
        title: `Routing of ${cluster.name}`,
        description: "BGP peers of the cluster's balancers.",
        docs: "routingSettings",
      }}
      form={(onDone) => <RoutingForm cluster={cluster} onDone={onDone} />}
    >
      {routing ? (
        <>
          <RoutingFacts routing={routing} />
          <RouterConfig cluster={cluster} routing={routing} />
        </>
      ) : (
        <Unset>
          Not set. No routes are advertised. Set an AS and the addresses of reflectors or routers: then agents with the
          role speaker advertise the addresses of their balancers.
        </Unset>
      )}
    </ClusterSetting>
  );
}

function RoutingFacts({ routing }: { routing: ShownClusterRouting }) {
  const { asn, balancers, reflectors, routers, holdSeconds, detection, drainSeconds, hasPassword, nearOnly } = routing;
  const none = <span className="text-muted">none</span>;
  const list = (key: string, items: { name: string; address: string; asn?: number }[]) =>
    items.length === 0 ? (
      none
    ) : (
      <span key={key} className="flex flex-wrap gap-x-4 gap-y-1">
        {items.map(({ name, address, asn: own }) => (
          <span key={address} className="inline-flex items-center gap-1.5">
            {name}
            <Mono>{address}</Mono>
            {own !== undefined && own !== asn ? <span className="text-muted text-xs">AS {own}</span> : null}
          </span>
        ))}
      </span>
    );
  return (
    <Facts
      rows={[
        ["AS", asn],
        ["Balancers", balancers.join(", ")],
        ["Reflectors", list("reflectors", reflectors)],
        ["Routers", list("routers", routers)],
        [
          "Peer timeout",
          detection
            ? `after ${detection.intervalMs * detection.multiplier} ms by BFD, or ${holdSeconds} s without a message`
            : `after ${holdSeconds} s without a message`,
        ],
        ["Drain time", `${drainSeconds} s at most`],
        [
          "Protection",
          [hasPassword ? "a password (TCP MD5)" : null, nearOnly ? "hop count (GTSM)" : null]
            .filter(Boolean)
            .join(", ") || none,
        ],
      ]}
    />
  );
}
