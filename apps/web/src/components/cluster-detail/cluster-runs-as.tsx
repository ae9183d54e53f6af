"use client";
import { anyRegion, type Cluster, providerNames, type RunsAs } from "@fairlead/domain";
import { Coins } from "lucide-react";
import { Facts } from "@/components/table/facts.tsx";
import { Mono } from "@/components/ui/mono.tsx";
import { ClusterSetting, Unset } from "./cluster-setting.tsx";
import { RunsAsForm } from "./runs-as-form.tsx";

/** As what the cluster's balancers are paid. */
export function ClusterRunsAs({ cluster }: { cluster: Cluster }) {
  const { runsAs } = cluster;
  return (
    <ClusterSetting
      id="runs-as"
      title="Runs as"
      link={{ href: `/costs/running?cluster=${cluster.id}`, label: "See what it costs" }}
      action={{ icon: Coins, label: runsAs ? "Change" : "Tell" }}
      dialog={{
        title: `What ${cluster.name} runs as`,
        description: "Its load balancers are paid as this, from the first hour that was metered on.",
      }}
      form={(onDone) => <RunsAsForm cluster={cluster} onDone={onDone} />}
    >
      {runsAs ? (
        <RunsAsFacts runsAs={runsAs} />
      ) : (
        <Unset>Nobody says where it runs and on which machines, so what its load balancers cost is unknown.</Unset>
      )}
    </ClusterSetting>
  );
}

function RunsAsFacts({ runsAs }: { runsAs: RunsAs }) {
  const { provider, region, machine, machineShare, zones, responseShare, internetShare } = runsAs;
  return (
    <Facts
      rows={[
        ["Provider", region === anyRegion ? providerNames[provider] : `${providerNames[provider]}, ${region}`],
        [
          "Machines of our balancers",
          machine ? (
            <span key="machine">
              <Mono>{machine}</Mono>
              {machineShare < 1 ? `, ${percent(machineShare)} of each` : null}
            </span>
          ) : (
            <span key="machine" className="text-muted">
              not said
            </span>
          ),
        ],
        ["Zones of a bought balancer", zones],
        [
          "Goes out to clients",
          responseShare === null ? (
            <span key="share" className="text-muted">
              not said
            </span>
          ) : (
            `${percent(responseShare)} of the traffic, where that is not measured`
          ),
        ],
        ["Of that to the internet", internetShare === 0 ? "not counted" : percent(internetShare)],
      ]}
    />
  );
}

function percent(share: number): string {
  return `${Number((share * 100).toPrecision(4))} %`;
}
