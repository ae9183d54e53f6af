import { mostOfBird } from "./bird.ts";
import { type RouterConfigFormat, titleOfFormat } from "./formats.ts";
import { listsBalancers, mostOfFrr } from "./frr.ts";
import { mostOfIosXr } from "./ios-xr.ts";
import { isDirect, isInternal, keepaliveOf, type RouterNetwork, thirdOf } from "./network.ts";
import type { RouterConfigRequest } from "./request.ts";

/** Formats that aren't tested with real routers. */
const untried: readonly RouterConfigFormat[] = ["junos", "eos", "ios-xr"];
const most: Partial<Record<RouterConfigFormat, number>> = { frr: mostOfFrr, bird: mostOfBird, "ios-xr": mostOfIosXr };

/** notesOn returns what an operator has to know before loading a configuration. The text starts with the same notes. */
export function notesOn(request: RouterConfigRequest, network: RouterNetwork): string[] {
  const { format, role } = request;
  const { detection, hasPassword, nearOnly, holdSeconds, mostNextHops, services } = network;
  const title = titleOfFormat[format];
  const limit = most[format];
  const notes: string[] = [];
  if (untried.includes(format))
    notes.push(
      `Not tested on a router: it only follows the documentation of ${title}. Try it first where no traffic depends on it.`,
    );
  if (services.length === 0)
    notes.push(
      "The cluster has no address pool yet, so this accepts and offers no routes. Generate it again once it has one.",
    );
  if (hasPassword) notes.push("Replace the placeholder with the cluster's password, which Fairlead never shows.");
  if (detection && role === "speaker")
    notes.push(
      `Without BFD, which ${format === "gobgp" ? "GoBGP 3" : title} doesn't support: a frozen host is detected after ${holdSeconds} s of silence instead of ${detection.intervalMs * detection.multiplier} ms.`,
    );
  if ((format === "exabgp" || format === "junos") && keepaliveOf(network) !== thirdOf(network))
    notes.push(
      `${title} sends keepalives every third of the hold time, not every ${keepaliveOf(network)} s as set in the cluster.`,
    );
  if (nearOnly && format === "exabgp") notes.push("ExaBGP sends with TTL 255, but doesn't check the TTL of its peers.");
  if (role === "router" && limit !== undefined && mostNextHops > limit)
    notes.push(`${title} supports ${limit} next hops at most, not the ${mostNextHops} set in the cluster.`);
  return [...notes, ...notesOnFrr(request, network), ...notesOnUntried(request, network)];
}

function notesOnFrr({ format, role, self }: RouterConfigRequest, network: RouterNetwork): string[] {
  if (format !== "frr") return [];
  const notes: string[] = [];
  const acceptsOwnAs = role === "reflector" || (isDirect(network) && isInternal(network, self));
  if (network.detection) notes.push("BFD needs the daemon bfdd: bfdd=yes in /etc/frr/daemons.");
  if (role === "router" && listsBalancers(network, self))
    notes.push(
      "FRR has no BFD with dynamic peers of another AS, so it lists the current balancers. Generate it again for new ones.",
    );
  if (network.nearOnly && acceptsOwnAs)
    notes.push(
      "FRR doesn't check the TTL of balancers in its own AS: a packet filter has to drop packets from distant ones.",
    );
  if (role === "reflector" && network.routers.some((router) => !isInternal(network, router)))
    notes.push(
      "To routers of another AS on its own network, FRR adds its link-local address to IPv6 next hops: they have to prefer the global one, as the configurations for FRR and BIRD do.",
    );
  return notes;
}

function notesOnUntried({ format }: RouterConfigRequest, network: RouterNetwork): string[] {
  const notes: string[] = [];
  if (format === "junos" && network.nearOnly)
    notes.push("Junos sends with TTL 255. To check the TTL of its peers it needs a firewall filter.");
  if (format === "junos" && network.mostNextHops > 16)
    notes.push("Junos uses 16 next hops at most by default: set chassis maximum-ecmp.");
  if (format === "ios-xr" && isDirect(network))
    notes.push(
      network.speakers.length === 0
        ? "IOS XR lists each balancer, and there is no speaker yet. Generate it again once there is one."
        : "IOS XR lists each balancer: these are the current ones. Generate it again for new ones.",
    );
  return notes;
}
