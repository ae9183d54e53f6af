"use client";
import { providers } from "@fairlead/domain/cost";
import {
  addressings,
  anyEngine,
  deliveries,
  type EngineStrategy,
  type Exposure,
  engines,
  hasEngine,
  namedBalancerOf,
  type SessionStrategy,
  type Strategy,
  sessionDrainDefaults,
  strategies,
  type TicketKeys,
} from "@fairlead/domain/exposure";
import { instanceBalancerOf } from "@fairlead/domain/load-balancer";
import { useQuery } from "@tanstack/react-query";
import { Facts } from "@/components/table/facts.tsx";
import { TextLink } from "@/components/ui/action/text-link.tsx";
import { Mono } from "@/components/ui/mono.tsx";
import { Badge } from "@/components/ui/status/badge.tsx";
import { Age } from "@/components/ui/time/age.tsx";
import { describeHealthCheck } from "@/components/words/health-checks.ts";
import { countOf } from "@/components/words/numbers.ts";
import { describePort, describeTarget } from "@/components/words/ports.ts";
import { ticketSoftwareTitles } from "@/components/words/ticket-keys.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { adaptiveFacts } from "./adaptive-facts.ts";

/** The spec of an exposure. */
export function SpecFacts({ exposure }: { exposure: Exposure }) {
  const { strategy } = exposure;
  const labels = Object.entries(exposure.labels);
  return (
    <Facts
      rows={[
        ["Workload", `${exposure.workload.kind.replaceAll("-", " ")} ${describeTarget(exposure.workload)}`],
        [
          "Ports",
          <ul key="ports" className="tabular">
            {exposure.ports.map((port) => (
              <li key={`${port.protocol} ${port.port}`}>
                {describePort(port)}
                {port.name ? <span className="text-muted"> {port.name}</span> : null}
              </li>
            ))}
          </ul>,
        ],
        [
          "Strategy",
          <div key="strategy">
            {strategies[strategy.type].title}
            <p className="text-muted">{strategies[strategy.type].summary}</p>
          </div>,
        ],
        ["Details", <StrategyDetails key="details" strategy={strategy} />],
        ...(hasEngine(strategy) ? carriedFacts(strategy, exposure.healthCheck) : []),
        ...(strategy.type === "session" ? sessionFacts(strategy, exposure.healthCheck) : []),
        ...(strategy.type === "adaptive" ? adaptiveFacts(strategy, exposure.healthCheck) : []),
        ...(instanceBalancerOf(strategy) || namedBalancerOf(strategy)
          ? [["Health check", describeHealthCheck(exposure.healthCheck)] satisfies [string, string]]
          : []),
        [
          "Cluster",
          <TextLink key="cluster" href={`/clusters/${exposure.clusterId}`}>
            {exposure.clusterName}
          </TextLink>,
        ],
        [
          "Labels",
          labels.length > 0 ? (
            <span key="labels" className="flex flex-wrap gap-1">
              {labels.map(([name, value]) => (
                <Badge key={name}>{`${name}=${value}`}</Badge>
              ))}
            </span>
          ) : null,
        ],
        ["Created", <Age key="created" at={exposure.createdAt} />],
        ["ID", <Mono key="id">{exposure.id}</Mono>],
      ]}
    />
  );
}

/** Forwarding and health checks, which only our own balancers have. */
function carriedFacts(
  { engine = anyEngine, delivery, scheduler, proxyProtocol, sampleClients }: EngineStrategy,
  check: Exposure["healthCheck"],
): [string, string][] {
  return [
    ["Health check", describeHealthCheck(check)],
    ["Engine", engine === anyEngine ? "automatic: the best that each host supports" : engines[engine].title],
    ...(scheduler ? [["Scheduler", scheduler] satisfies [string, string]] : []),
    ["Delivery", delivery ? deliveries[delivery].title : "automatic: the best that the engine supports"],
    ...(proxyProtocol ? [["Client's address", "PROXY protocol, version 2"] satisfies [string, string]] : []),
    ["Client sampling", sampleClients ? "on" : "off"],
  ];
}

/** How returning clients are recognised. */
function sessionFacts(
  { delivery, names, serverNames = [], ids, ticketHours, ticketKeys, fallbacks, ...drains }: SessionStrategy,
  check: Exposure["healthCheck"],
): [string, string][] {
  const { sessionDrainSeconds, drainSeconds } = { ...sessionDrainDefaults, ...drains };
  const of = serverNames.length > 0 ? `, for ${serverNames.join(", ")}` : "";
  return [
    ["Health check", describeHealthCheck(check)],
    ["Delivery", delivery ? deliveries[delivery].title : "automatic"],
    ["Return by ticket", describeNames(names, of)],
    ...(ticketKeys ? [["Ticket keys", describeKeys(ticketKeys)] satisfies [string, string]] : []),
    ...(names !== "off" ? [["Ticket lifetime", `${ticketHours} h`] satisfies [string, string]] : []),
    ["Return by session id", ids ? "on" : "off"],
    ["Fallback", fallbacks.includes("proxy") ? "proxy, then plain layer 4" : "plain layer 4"],
    ["Drain time", `sessions ${sessionDrainSeconds} s, then connections ${drainSeconds} s`],
  ];
}

function describeNames(names: SessionStrategy["names"], of: string): string {
  switch (names) {
    case "learned":
      return `names of ticket keys are learned${of}`;
    case "managed":
      return `ticket keys are managed${of}`;
    case "off":
      return "off";
    default:
      return names satisfies never;
  }
}

function describeKeys({ software, folder, socket, secret, rotateHours }: TicketKeys): string {
  const by = socket ? `, and by ${socket}` : secret ? ` from the Secret ${secret}` : "";
  return `${ticketSoftwareTitles[software]}, in ${folder}${by}; rotated every ${rotateHours} h`;
}

function StrategyDetails({ strategy }: { strategy: Strategy }) {
  switch (strategy.type) {
    case "per-replica":
      return <InstanceDetails strategy={strategy} />;
    case "ecmp":
    case "session":
      return <OwnBalancer replicas={countOf(strategy.replicas, "replica")} poolId={strategy.poolId} />;
    case "adaptive":
      return <OwnBalancer replicas="on each node with an agent of the role adaptive" poolId={strategy.poolId} />;
    case "cloud":
      return `${providers[strategy.provider].title}, ${strategy.scheme}`;
    default:
      return strategy satisfies never;
  }
}

function InstanceDetails({ strategy }: { strategy: Extract<Strategy, { type: "per-replica" }> }) {
  const own = instanceBalancerOf(strategy) ?? namedBalancerOf(strategy);
  const addressing = addressings[strategy.addressing].summary;
  if (!own?.poolId) return addressing;
  return (
    <>
      {addressing}
      {strategy.dnsZone ? ` in ${strategy.dnsZone}` : ""};{" "}
      <OwnBalancer replicas={countOf(own.replicas, "replica")} poolId={own.poolId} />
    </>
  );
}

function OwnBalancer({ replicas, poolId }: { replicas: string; poolId: string }) {
  const trpc = useTRPC();
  const pool = useQuery(trpc.addressPool.get.queryOptions({ id: poolId }));
  return (
    <>
      {replicas}; address from{" "}
      <TextLink href={`/address-pools?peek=${poolId}`} className="underline">
        {pool.data?.name ?? "its pool"}
      </TextLink>
      {pool.data ? (
        <Mono copy={false} className="ml-1 text-muted">
          {pool.data.prefix}
        </Mono>
      ) : null}
    </>
  );
}
