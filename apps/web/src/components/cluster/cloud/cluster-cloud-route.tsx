"use client";
import type { CloudRoute } from "@fairlead/domain/cloud";
import type { Cluster } from "@fairlead/domain/cluster";
import { Cloud } from "lucide-react";
import { cloudMethodWords } from "@/components/routing/cloud-address-table.tsx";
import { Facts } from "@/components/table/facts.tsx";
import { Mono } from "@/components/ui/mono.tsx";
import { ClusterSetting, Unset } from "../cluster-setting.tsx";
import { CloudRouteForm } from "./cloud-route-form.tsx";

/** How a cloud routes the cluster's addresses to replicas if no router speaks BGP. */
export function ClusterCloudRoute({ cluster }: { cluster: Cluster }) {
  const { cloudRoute } = cluster;
  return (
    <ClusterSetting
      id="cloud-route"
      title="Cloud route"
      link={cloudRoute ? { href: `/routing?cluster=${cluster.id}`, label: "View addresses" } : null}
      action={{ icon: Cloud, label: cloudRoute ? "Change" : "Set up" }}
      dialog={{
        title: `Cloud route of ${cluster.name}`,
        description: "Routes each address to a healthy replica by the AWS API.",
      }}
      form={(onDone) => <CloudRouteForm cluster={cluster} onDone={onDone} />}
    >
      {cloudRoute ? (
        <CloudRouteFacts settings={cloudRoute} />
      ) : (
        <Unset>
          Not set. If no router speaks BGP, as in a VPC, the cloud can route each address to one healthy replica, and to
          another one on failure.
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
        ["Method", cloudMethodWords[method]],
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
