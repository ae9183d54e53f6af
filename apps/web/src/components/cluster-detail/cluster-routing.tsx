"use client";
import type { Cluster, ShownClusterRouting } from "@fairlead/domain";
import { Waypoints } from "lucide-react";
import { Facts } from "@/components/table/facts.tsx";
import { Mono } from "@/components/ui/mono.tsx";
import { ClusterSetting, Unset } from "./cluster-setting.tsx";
import { RouterConfig } from "./router-config.tsx";
import { RoutingForm } from "./routing-form.tsx";

/** What the cluster's balancers tell routers, and what those need to be told in turn. */
export function ClusterRouting({ cluster }: { cluster: Cluster }) {
  const { routing } = cluster;
  return (
    <ClusterSetting
      id="routing"
      title="Routing"
      link={routing ? { href: `/routing?cluster=${cluster.id}`, label: "See what happens" } : null}
      action={{ icon: Waypoints, label: routing ? "Change" : "Set up" }}
      dialog={{
        title: `Routing of ${cluster.name}`,
        description: "What its balancers tell routers by BGP, and to whom.",
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
          Routers are told nothing. With an AS and the addresses of reflectors or routers, agents with the role speaker
          announce what the balancers beside them carry.
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
          "A peer is gone",
          detection
            ? `after ${detection.intervalMs * detection.multiplier} ms by BFD, or ${holdSeconds} s of silence`
            : `after ${holdSeconds} s of silence`,
        ],
        ["Draining takes", `${drainSeconds} s at most`],
        [
          "Guarded by",
          [hasPassword ? "a password (TCP MD5)" : null, nearOnly ? "hop count (GTSM)" : null]
            .filter(Boolean)
            .join(", ") || none,
        ],
      ]}
    />
  );
}
