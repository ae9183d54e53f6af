"use client";
import type { CloudRoute, Cluster } from "@fairlead/domain";
import { Cloud } from "lucide-react";
import { cloudMethodWords } from "@/components/routing/cloud-address-table.tsx";
import { Facts } from "@/components/table/facts.tsx";
import { Mono } from "@/components/ui/mono.tsx";
import { CloudRouteForm } from "./cloud-route-form.tsx";
import { ClusterSetting, Unset } from "./cluster-setting.tsx";

/** How a cloud brings the cluster's addresses to replicas, where no router listens to BGP. */
export function ClusterCloudRoute({ cluster }: { cluster: Cluster }) {
  const { cloudRoute } = cluster;
  return (
    <ClusterSetting
      id="cloud-route"
      title="Cloud route"
      link={cloudRoute ? { href: `/routing?cluster=${cluster.id}`, label: "See where addresses are" } : null}
      action={{ icon: Cloud, label: cloudRoute ? "Change" : "Set up" }}
      dialog={{
        title: `Cloud route of ${cluster.name}`,
        description: "How AWS brings its addresses to a healthy replica.",
      }}
      form={(onDone) => <CloudRouteForm cluster={cluster} onDone={onDone} />}
    >
      {cloudRoute ? (
        <CloudRouteFacts settings={cloudRoute} />
      ) : (
        <Unset>
          No cloud is asked to bring addresses anywhere. Where no router listens to BGP, as in a VPC, each address can
          lead to one healthy replica, and to another when that one fails.
        </Unset>
      )}
    </ClusterSetting>
  );
}

function CloudRouteFacts({ settings }: { settings: CloudRoute }) {
  const { region, endpoint, vpcId, method } = settings;
  return (
    <Facts
      rows={[
        ["Cloud", `AWS, ${region}`],
        ["By", cloudMethodWords[method]],
        ...(method === "route" ? [row("Route tables", settings.routeTables)] : []),
        ...(method === "elastic-address"
          ? [
              row(
                "Elastic IPs",
                settings.elasticAddresses.map((each) => `${each.address} ${each.allocationId}`),
              ),
            ]
          : []),
        ...(vpcId ? [row("VPC", [vpcId])] : []),
        ...(endpoint ? [row("Endpoint", [endpoint])] : []),
      ]}
    />
  );
}

function row(label: string, values: string[]): [string, React.ReactNode] {
  return [
    label,
    <span key={label} className="flex flex-wrap gap-x-4 gap-y-1">
      {values.map((each) => (
        <Mono key={each}>{each}</Mono>
      ))}
    </span>,
  ];
}
