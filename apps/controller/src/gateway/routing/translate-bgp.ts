import { create } from "@bufbuild/protobuf";
import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import {
  BgpPeerSchema,
  BgpSchema,
  type BgpStatus,
  ReflectorRoleSchema,
  RouterRoleSchema,
  SpeakerRoleSchema,
} from "@fairlead/agent-protocol";
import type { BgpConfig, ReflectorConfig, RouterConfig, SpeakerConfig } from "@fairlead/domain/routing";
import type { AgentReport, SecretBox } from "@fairlead/services/gateway";
import { toHealthCheck } from "../balancers/translate-balancer.ts";

type Box = Pick<SecretBox, "open">;

export function toSpeaker({ bgp, services, leaving, drainMs }: SpeakerConfig, box: Box) {
  return create(SpeakerRoleSchema, {
    bgp: toPeers(bgp, box),
    leaving,
    drainMs,
    services: services.map(({ probes, ...service }) => ({
      ...service,
      probes: probes.map(({ healthCheck, ...probe }) => ({
        ...probe,
        ...(healthCheck ? { healthCheck: toHealthCheck(healthCheck) } : {}),
      })),
    })),
  });
}

export function toReflector({ bgp, accepts }: ReflectorConfig, box: Box) {
  return create(ReflectorRoleSchema, { bgp: toPeers(bgp, box), accepts });
}

export function toRouter({ bgp, ...rest }: RouterConfig, box: Box) {
  return create(RouterRoleSchema, { bgp: toPeers(bgp, box), ...rest });
}

function toPeers({ asn, peers }: BgpConfig, box: Box) {
  return create(BgpSchema, {
    as: asn,
    peers: peers.map((peer) => {
      const { address = "", callers = "", asn, description, isClient, sealedPassword, detection, ...rest } = peer;
      return create(BgpPeerSchema, {
        ...rest,
        address,
        callers,
        as: asn,
        description,
        client: isClient ?? false,
        password: sealedPassword ? box.open(sealedPassword) : "",
        detectIntervalMs: detection?.intervalMs ?? 0,
        detectMultiplier: detection?.multiplier ?? 0,
      });
    }),
  });
}

const at = (moment: Timestamp | undefined): Date | null => (moment ? timestampDate(moment) : null);

export function toBgp(status: BgpStatus): NonNullable<AgentReport["bgp"]> {
  const { address, as, routerId, sessions, announcements, routes, routesLeftOut, updates, transitions } = status;
  return {
    address,
    asn: as,
    routerId,
    routesLeftOut: Number(routesLeftOut),
    sessions: sessions.map((each) => ({
      peerAddress: each.peer,
      peerAsn: each.as,
      peerRouterId: each.routerId,
      state: each.state,
      stateSince: at(each.since),
      lastError: each.lastError,
      holdSeconds: each.holdSeconds,
      keepaliveSeconds: each.keepaliveSeconds,
      detectIntervalMs: each.detectIntervalMs,
      detectMultiplier: each.detectMultiplier,
      messagesIn: Number(each.messagesIn),
      messagesOut: Number(each.messagesOut),
      routesReceived: Number(each.received),
      routesAccepted: Number(each.accepted),
      routesAdvertised: Number(each.advertised),
      establishedCount: Number(each.establishedCount),
      detection: each.detection,
      isFull: each.full,
    })),
    announcements: announcements.map(({ loadBalancerId, prefix, nextHop, state, since, reason }) => ({
      loadBalancerId,
      prefix,
      nextHop,
      state,
      stateSince: at(since),
      reason,
    })),
    routes: routes.map(({ prefix, since, changed, nextHops }) => ({
      prefix,
      since: at(since),
      changedAt: at(changed),
      nextHops: nextHops.map(({ address, weight, since }) => ({ address, weight, since: at(since) })),
    })),
    updates: updates.map(({ prefix, nextHop, withdrawn, step, at }) => ({
      prefix,
      nextHop,
      isWithdrawal: withdrawn,
      step,
      atUs: at ? Number(at.seconds) * 1_000_000 + Math.floor(at.nanos / 1_000) : 0,
    })),
    transitions: transitions.map(({ peer, as, prefix, nextHop, loadBalancerId, from, to, at: when, reason }) => ({
      peerAddress: peer,
      peerAsn: as,
      prefix,
      nextHop,
      loadBalancerId,
      from,
      to,
      at: at(when),
      reason,
    })),
  };
}
