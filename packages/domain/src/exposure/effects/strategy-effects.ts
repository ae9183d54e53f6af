import { replicasUsually } from "../../load-balancer/instance-balancer.ts";
import { keepSecondsUsually } from "../../load-balancer/plan-instance-balancers.ts";
import { adaptiveDrainSeconds } from "../adaptive.ts";
import { deliveries, type PacketEngine } from "../engines.ts";
import { sessionDrainDefaults } from "../session.ts";
import { addressings } from "../strategies.ts";
import { hasEngine, type Strategy } from "../strategy.ts";
import { type Effect, type EffectsOf, listEffects, type SpecChange, type SpecForEffects } from "./effect.ts";

type StrategyOf<Type extends Strategy["type"]> = Extract<Strategy, { type: Type }>;

/** strategyEffects returns nothing for another type, because an exposure can't change to it. */
export function strategyEffects(before: SpecForEffects, after: SpecForEffects): string[] {
  const [was, is, whole] = [before.strategy, after.strategy, { before, after }];
  if (is.type === "per-replica" && was.type === is.type)
    return listEffects(perReplicaEffects, { before: was, after: is, whole });
  if (is.type === "ecmp" && was.type === is.type) return listEffects(ecmpEffects, { before: was, after: is, whole });
  if (is.type === "session" && was.type === is.type)
    return listEffects(sessionEffects, { before: was, after: is, whole });
  if (is.type === "adaptive" && was.type === is.type)
    return listEffects(adaptiveEffects, { before: was, after: is, whole });
  if (is.type === "cloud" && was.type === is.type) return listEffects(cloudEffects, { before: was, after: is, whole });
  return [];
}

const poolId: Effect<{ poolId?: string | undefined }> = ({ before, after, whole }) => {
  if (before.poolId === after.poolId) return [];
  const { addresses = [], strategy } = whole.before;
  const used = addresses.slice(0, 3).join(", ") + (addresses.length > 3 ? ` and ${addresses.length - 3} more` : "");
  return strategy.type === "per-replica" && addressings[strategy.addressing].isOwn
    ? [
        `Address pool: the address of each instance changes. Clients must use the new ones; connections to ${used || "the former ones"} end.`,
      ]
    : [
        `Address pool: the address changes. Clients must use the new one; connections to ${used || "the former one"} end.`,
      ];
};

const replicas: Effect<{ replicas?: number | undefined }> = ({ before, after, whole }) => {
  const added = (after.replicas ?? replicasUsually) - (before.replicas ?? replicasUsually);
  const moved = whenMoved(whole.after.strategy);
  if (added === 0 || moved === "survive") return [];
  if (added < 0) return [`Replicas: connections through removed ones ${moved === "end" ? "end" : "may break"}.`];
  return moved === "end"
    ? ["Replicas: routers may move connections to added ones. These end."]
    : ["Replicas: routers may move connections to added ones. With the delivery NAT or proxy, these end."];
};

/** whenMoved is what becomes of a connection that a router moves to another replica: see docs/decisions/0007-connections-survive.md. */
function whenMoved(strategy: Strategy): "survive" | "end" | "depends" {
  // Backends and other replicas know the connections: see docs/decisions/0040-sessions-at-layer-4.md.
  if (strategy.type === "session") return "survive";
  if (strategy.type === "per-replica") return strategy.addressing === "shared-sni" ? "end" : "depends";
  if (!hasEngine(strategy)) return "depends";
  const { engine, delivery } = strategy;
  if (engine === "userspace" || delivery === "nat" || delivery === "proxy") return "end";
  const sharesAll: readonly (PacketEngine | "auto" | undefined)[] = ["tcx", "xdp"];
  return sharesAll.includes(engine) && (delivery !== undefined || engine === "xdp") ? "survive" : "depends";
}

const ownBalancerEffects = { type: null, replicas, poolId };

const ecmpEffects: EffectsOf<StrategyOf<"ecmp">> = {
  ...ownBalancerEffects,
  engine: ({ before, after }) =>
    (before.engine ?? "auto") === (after.engine ?? "auto")
      ? []
      : ["Engine: replicas that change to another engine, or move to another node, may break connections."],
  delivery({ before, after }) {
    if (before.delivery === after.delivery) return [];
    const breaks = "Delivery: existing connections may break.";
    return after.delivery && deliveries[after.delivery].keepsPort
      ? [breaks, `Delivery: instances that are not prepared for ${deliveries[after.delivery].title} can't be reached.`]
      : [breaks];
  },
  scheduler: ({ before, after }) =>
    (before.scheduler ?? "mh") === (after.scheduler ?? "mh")
      ? []
      : ["Scheduler: clients may reach another instance with their next connection."],
  proxyProtocol({ before, after }) {
    if ((before.proxyProtocol ?? false) === (after.proxyProtocol ?? false)) return [];
    return after.proxyProtocol
      ? [
          "Client's address: new connections start with a PROXY header. Instances that don't expect it reject them, or read it as data.",
        ]
      : ["Client's address: new connections have no PROXY header. Instances that expect it may reject them."];
  },
  sampleClients: null,
};

const perReplicaEffects: EffectsOf<StrategyOf<"per-replica">> = {
  ...ownBalancerEffects,
  addressing: ({ before, after }) =>
    before.addressing === after.addressing
      ? []
      : ["Addresses: clients must use the new addresses and ports. Connections to the former ones end."],
  keepSeconds({ before, after }) {
    const [was, is] = [before.keepSeconds ?? keepSecondsUsually, after.keepSeconds ?? keepSecondsUsually];
    if (is >= was || !addressings[after.addressing].isOwn) return [];
    return [
      `Address retention: the address of an instance that is missing for ${is} seconds is released. If it returns, it may get another one.`,
    ];
  },
  // It applies to Services that are removed later.
  drainSeconds: null,
  dnsZone,
};

function dnsZone({ before, after }: SpecChange<StrategyOf<"per-replica">>): string[] {
  const { addressing, dnsZone: zone } = after;
  if (before.dnsZone === undefined || before.dnsZone === zone) return [];
  if (addressing === "shared-sni")
    return [
      `Zone of server names: new connections with names in ${before.dnsZone} are rejected. Clients must use the new names.`,
    ];
  const isService = addressing === "dedicated" || addressing === "node-port";
  return isService
    ? [
        `Zone of DNS names: names in ${before.dnsZone} may be removed. Clients must use ${zone ? "the new names" : "addresses"}.`,
      ]
    : [];
}

const sessionEffects: EffectsOf<StrategyOf<"session">> = {
  ...ownBalancerEffects,
  // Without one, it depends on the kind of cluster.
  delivery({ before, after }) {
    if (before.delivery === after.delivery) return [];
    const breaks = "Delivery: existing connections may break.";
    return after.delivery === "direct"
      ? [breaks, "Delivery: instances on another network than the replicas can't be reached."]
      : [breaks];
  },
  names: ({ before, after }) =>
    before.names === after.names || after.names !== "off"
      ? []
      : ["Names of ticket keys: clients with a ticket may reach another instance with their next connection."],
  serverNames({ before, after }) {
    const kept = after.serverNames ?? [];
    const dropped = (before.serverNames ?? []).filter((each) => !kept.includes(each));
    if (dropped.length === 0 || after.names === "off") return [];
    return [
      `Server names: clients with a ticket for ${dropped.join(", ")} may reach another instance with their next connection.`,
    ];
  },
  ticketKeys({ before: { ticketKeys: was }, after: { ticketKeys: is } }) {
    if (!is) return was ? ["Ticket keys: servers keep the keys that they have, and these are no longer rotated."] : [];
    if (!was)
      return [
        "Ticket keys: servers get new ones. Clients with a ticket of a former key need a full handshake, unless a server still accepts it.",
      ];
    if (was.software !== is.software || was.folder !== is.folder)
      return ["Ticket keys: agents write them elsewhere. Until servers read these, they are no longer rotated."];
    return [];
  },
  ids: ({ before, after }) =>
    before.ids && !after.ids
      ? ["Session ids: clients with a session of TLS 1.2 may reach another instance with their next connection."]
      : [],
  ticketHours: ({ before, after }) =>
    after.ticketHours < before.ticketHours
      ? [
          `Ticket lifetime: clients with a ticket that is older than ${after.ticketHours} h may reach another instance with their next connection.`,
        ]
      : [],
  fallbacks({ before, after }) {
    const [was, is] = [before.fallbacks.includes("proxy"), after.fallbacks.includes("proxy")];
    if (was === is) return [];
    return is
      ? [
          "Fallbacks: while no backend takes connections by TLS session, a proxy carries them. Existing ones end when it begins, and backends see the replica's address.",
        ]
      : ["Fallbacks: connections that a proxy carries end."];
  },
  sessionDrainSeconds: ({ before, after }) =>
    (after.sessionDrainSeconds ?? 0) < (before.sessionDrainSeconds ?? 0)
      ? ["Drain time of sessions: clients of instances that are being removed may reach another one."]
      : [],
  drainSeconds: ({ before, after }) =>
    (after.drainSeconds ?? sessionDrainDefaults.drainSeconds) <
    (before.drainSeconds ?? sessionDrainDefaults.drainSeconds)
      ? ["Drain time of connections: those to instances that are being removed may end."]
      : [],
};
const adaptiveEffects: EffectsOf<StrategyOf<"adaptive">> = {
  type: null,
  poolId,
  // Existing connections stay where they are.
  standby: null,
  endsConnections: ({ before, after }) =>
    after.endsConnections && !before.endsConnections
      ? ["Removed instances: connections to instances that were already removed end."]
      : [],
  drainSeconds: ({ before, after }) =>
    after.endsConnections &&
    (after.drainSeconds ?? adaptiveDrainSeconds) < (before.drainSeconds ?? adaptiveDrainSeconds)
      ? ["Drain time: connections to instances that are being removed may end."]
      : [],
  outside({ before: { outside: was }, after: { outside: is } }) {
    if (!was || !is) return was ? ["Clients outside: they lose access, and their connections end."] : [];
    if (was.delivery !== is.delivery) return ["Clients outside: existing connections may break."];
    if (is.replicas < was.replicas) return ["Clients outside: connections through removed balancers end."];
    return is.replicas > was.replicas
      ? ["Clients outside: routers may move connections to added balancers. These end."]
      : [];
  },
};

const otherCloudBalancer = "the load balancer may be replaced. Then its address changes, and connections to it end.";

const cloudEffects: EffectsOf<StrategyOf<"cloud">> = {
  type: null,
  provider: ({ before, after }) => (before.provider === after.provider ? [] : [`Provider: ${otherCloudBalancer}`]),
  scheme({ before, after }) {
    if (before.scheme === after.scheme) return [];
    const replaced = `Reachable from: ${otherCloudBalancer}`;
    return after.scheme === "internal"
      ? [replaced, "Reachable from: clients outside the cloud network may lose access."]
      : [replaced];
  },
};
