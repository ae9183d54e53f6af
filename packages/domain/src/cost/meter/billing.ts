import { isSix } from "../../address/family.ts";
import { isPublicAddress } from "../../address/public-address.ts";
import type { ExposedPort } from "../../exposure/exposed-port.ts";
import { replicasOutside } from "../../exposure/replicas-outside.ts";
import { addressings, type PaidAs, strategies } from "../../exposure/strategies.ts";
import type { Strategy } from "../../exposure/strategy.ts";
import { machineSku } from "../book/price-book.ts";
import { listedOffers } from "../offers/index.ts";
import type { Offer } from "../offers/offer.ts";
import { type Provider, providers } from "../prices/providers.ts";
import { type TrafficProfile, trafficProfile } from "../traffic/traffic-profile.ts";
import type { RunsAs } from "./runs-as.ts";

/** BalancerFacts are the properties of a load balancer that determine its price. */
export type BalancerFacts = {
  name: string;
  kind: "fairlead" | "cloud";
  instance: string | null;
  /** An address, or the host name that its provider assigned. */
  address: string | null;
  exposureName: string;
  clusterName: string;
  clusterRegion: string;
  runsAs: RunsAs | null;
  labels: Record<string, string>;
  strategy: Strategy;
  ports: Pick<ExposedPort, "protocol">[];
};

/** Billing is how a load balancer is billed. The reason of unknown includes what to do. */
export type Billing =
  | { as: "bought"; offer: Offer; region: string; profile: TrafficProfile; more: BillingMore }
  | {
      as: "machines";
      provider: Provider;
      region: string;
      machine: PaidMachine;
      profile: TrafficProfile;
      more: BillingMore;
    }
  | { as: "nothing"; reason: string }
  | { as: "unknown"; reason: string };

/** PaidMachine is a size of machine: the SKU of its price, and its display name. */
export type PaidMachine = { sku: string; name: string };

/** Together counts the balancers that share a bill, with the sum of their ports and of their protocols. */
export type Together = { balancers: number; ports: number; protocols: number };

export type BillingMore = {
  hasPublicAddress: boolean;
  machineShare: number;
  responseShare: number | null;
  alone: Together;
};

/** The host name of a Classic balancer of AWS has the region before "elb"; that of a Network one has it after. */
const classicName = /\.[a-z]+(-[a-z]+)+-\d+\.elb\.amazonaws\.com(\.cn)?\.?$/i;

function offerIdOf(provider: Provider, address: string | null): string | null {
  return provider === "aws" && address !== null && classicName.test(address)
    ? "aws-clb"
    : providers[provider].usualBalancer;
}

/** billingOf returns how a load balancer is billed. */
export function billingOf(facts: BalancerFacts): Billing {
  if (facts.strategy.type === "adaptive" && replicasOutside(facts.strategy) === 0)
    return { as: "nothing", reason: "Agents of nodes that run anyway carry it, so it has no cost of its own." };
  if (facts.kind === "fairlead") return onMachines(facts);
  const paidAs = paidAsOf(facts.strategy);
  switch (paidAs) {
    case "with-nodes":
      return { as: "nothing", reason: "It is a port of nodes that run anyway, so it has no cost of its own." };
    // A balancer of a provider that is left from an earlier spec is billed until it is deleted.
    case "machines":
    case "product":
      return bought(facts);
    default:
      return paidAs satisfies never;
  }
}

function paidAsOf(strategy: Strategy): PaidAs {
  if (strategy.type === "per-replica") return addressings[strategy.addressing].paidAs;
  return strategies[strategy.type].paidAs;
}

function onMachines(facts: BalancerFacts): Billing {
  const { clusterName, runsAs } = facts;
  if (!runsAs?.machine)
    return {
      as: "unknown",
      reason: `The machines of the balancers of ${clusterName} are not set. Set them under "Runs as" of the cluster.`,
    };
  const { provider, region } = runsAs;
  const { machine: name } = runsAs;
  const machine = { sku: provider === "own" ? machineSku(name) : name, name };
  return { as: "machines", provider, region, machine, profile: profileOf(facts), more: moreOf(facts) };
}

function bought(facts: BalancerFacts): Billing {
  const { address, clusterName, clusterRegion, runsAs, strategy } = facts;
  const provider = strategy.type === "cloud" ? strategy.provider : runsAs?.provider;
  if (!provider)
    return {
      as: "unknown",
      reason: `The provider of ${clusterName} is not set. Set it under "Runs as" of the cluster.`,
    };
  if (provider === "own")
    return {
      as: "nothing",
      reason: `${clusterName} assigns the addresses of its Services itself, so they have no cost of their own.`,
    };
  const region = runsAs?.provider === provider ? runsAs.region : clusterRegion;
  if (region === "")
    return {
      as: "unknown",
      reason: `The region of ${clusterName} at ${providers[provider].title} is not set. Set the region of the cluster.`,
    };
  const offerId = offerIdOf(provider, address);
  const offer = listedOffers.find(({ id }) => id === offerId);
  if (!offer)
    return {
      as: "unknown",
      reason: `The load balancer that ${providers[provider].title} creates for Services is unknown.`,
    };
  return { as: "bought", offer, region, profile: profileOf(facts), more: moreOf(facts) };
}

/** profileOf is the kind of traffic, without its amount. */
function profileOf({ address, ports, strategy, runsAs }: BalancerFacts): TrafficProfile {
  return trafficProfile.parse({
    averageMbps: 0,
    protocol: ports.length > 0 && ports.every(({ protocol }) => protocol === "udp") ? "udp" : "tcp",
    tls: strategies[strategy.type].tls,
    listeners: Math.max(1, ports.length),
    zones: runsAs?.zones ?? 1,
    internetShare: isOutside(strategy, address) ? (runsAs?.internetShare ?? 0) : 0,
  });
}

function moreOf({ address, ports, strategy, runsAs }: BalancerFacts): BillingMore {
  return {
    // Only IPv4 addresses are billed. A provider's host name resolves to some.
    hasPublicAddress: isOutside(strategy, address) && address !== null && !isSix(address),
    machineShare: runsAs?.machineShare ?? 1,
    responseShare: runsAs?.responseShare ?? null,
    alone: {
      balancers: 1,
      ports: Math.max(1, ports.length),
      protocols: Math.max(1, new Set(ports.map(({ protocol }) => protocol)).size),
    },
  };
}

/** isOutside reports whether clients come from the internet. AWS marks internal balancers in the host name. */
function isOutside(strategy: Strategy, address: string | null): boolean {
  if (address === null || (strategy.type === "cloud" && strategy.scheme === "internal")) return false;
  if (isSix(address) || /^\d+(\.\d+){3}$/.test(address)) return isPublicAddress(address);
  return !/^internal-.*\.amazonaws\.com/i.test(address);
}
