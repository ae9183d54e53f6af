"use client";
import type { Cluster } from "@fairlead/domain/cluster";
import { anyRegion, providers, type RunsAs } from "@fairlead/domain/cost";
import { Coins } from "lucide-react";
import { Facts } from "@/components/table/facts.tsx";
import { Mono } from "@/components/ui/mono.tsx";
import { ClusterSetting, Unset } from "../cluster-setting.tsx";
import { RunsAsForm } from "./runs-as-form.tsx";

/** The price basis of the cluster's balancers. */
export function ClusterRunsAs({ cluster }: { cluster: Cluster }) {
  const { runsAs } = cluster;
  return (
    <ClusterSetting
      id="runs-as"
      title="Runs as"
      link={{ href: `/costs/running?cluster=${cluster.id}`, label: "View cost" }}
      action={{ icon: Coins, label: runsAs ? "Change" : "Set" }}
      dialog={{
        title: `Provider and machines of ${cluster.name}`,
        description: "The cost of its load balancers is calculated with these, from the first metered hour on.",
        docs: "runsAs",
      }}
      form={(onDone) => <RunsAsForm cluster={cluster} onDone={onDone} />}
    >
      {runsAs ? (
        <RunsAsFacts runsAs={runsAs} />
      ) : (
        <Unset>
          Not set. The cost of its load balancers is unknown until you set where it runs and on which machines.
        </Unset>
      )}
    </ClusterSetting>
  );
}

function RunsAsFacts({ runsAs }: { runsAs: RunsAs }) {
  const { provider, region, machine, machineShare, zones, responseShare, internetShare } = runsAs;
  return (
    <Facts
      rows={[
        ["Provider", region === anyRegion ? providers[provider].title : `${providers[provider].title}, ${region}`],
        [
          "Balancer machines",
          machine ? (
            <span key="machine">
              <Mono>{machine}</Mono>
              {machineShare < 1 ? `, ${percent(machineShare)} of each` : null}
            </span>
          ) : (
            <span key="machine" className="text-muted">
              not set
            </span>
          ),
        ],
        ["Zones per cloud balancer", zones],
        [
          "Outbound traffic",
          responseShare === null ? (
            <span key="share" className="text-muted">
              not set
            </span>
          ) : (
            `${percent(responseShare)} of the traffic, if not measured`
          ),
        ],
        ["Internet share", internetShare === 0 ? "not counted" : percent(internetShare)],
      ]}
    />
  );
}

function percent(share: number): string {
  return `${Number((share * 100).toPrecision(4))} %`;
}
