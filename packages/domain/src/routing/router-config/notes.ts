import type { RouterConfigRequest } from "./asked.ts";
import { mostOfBird } from "./bird.ts";
import { type RouterConfigFormat, titleOfFormat } from "./formats.ts";
import { knowsCallersByName, mostOfFrr } from "./frr.ts";
import { mostOfIosXr } from "./ios-xr.ts";
import { isDirect, isInternal, keepaliveOf, type RouterNetwork, thirdOf } from "./network.ts";

/** Formats whose routers don't run here. */
const untried: readonly RouterConfigFormat[] = ["junos", "eos", "ios-xr"];
const most: Partial<Record<RouterConfigFormat, number>> = { frr: mostOfFrr, bird: mostOfBird, "ios-xr": mostOfIosXr };

/** notesOn says what a person has to know of a text before it is loaded. The text begins with the same. */
export function notesOn(asked: RouterConfigRequest, network: RouterNetwork): string[] {
  const { format, role } = asked;
  const { detection, hasPassword, nearOnly, holdSeconds, mostNextHops, services } = network;
  const title = titleOfFormat[format];
  const limit = most[format];
  const notes: string[] = [];
  if (untried.includes(format))
    notes.push(
      `Never loaded into a router: it follows the documentation of ${title} alone. Try it where no traffic depends on it.`,
    );
  if (services.length === 0)
    notes.push("The cluster has no address pool yet, so nothing is taken or offered by this. Write it anew then.");
  if (hasPassword)
    notes.push("Fill the gap for the password with the one that the cluster has: it is never shown, here neither.");
  if (detection && role === "speaker")
    notes.push(
      `Without BFD, which ${format === "gobgp" ? "GoBGP 3" : title} doesn't have: when this host freezes, it is found after ${holdSeconds} s of silence instead of ${detection.intervalMs * detection.multiplier} ms.`,
    );
  if ((format === "exabgp" || format === "junos") && keepaliveOf(network) !== thirdOf(network))
    notes.push(
      `${title} gives a sign of life every third of the hold time, not every ${keepaliveOf(network)} s as the cluster says.`,
    );
  if (nearOnly && format === "exabgp")
    notes.push("ExaBGP is heard as a neighbour (TTL 255), but hears who is far away itself.");
  if (role === "router" && limit !== undefined && mostNextHops > limit)
    notes.push(`${title} takes ${limit} next hops at most, not the ${mostNextHops} that the cluster asks for.`);
  return [...notes, ...notesOnFrr(asked, network), ...notesOnUntried(asked, network)];
}

function notesOnFrr({ format, role, self }: RouterConfigRequest, network: RouterNetwork): string[] {
  if (format !== "frr") return [];
  const notes: string[] = [];
  const hearsOwnAs = role === "reflector" || (isDirect(network) && isInternal(network, self));
  if (network.detection) notes.push("BFD takes the daemon bfdd: bfdd=yes in /etc/frr/daemons.");
  if (role === "router" && knowsCallersByName(network, self))
    notes.push("FRR has no BFD with callers of another AS, so balancers of now are named. Write it anew for others.");
  if (network.nearOnly && hearsOwnAs)
    notes.push("FRR hears balancers of its own AS from far away too: a packet filter has to drop those.");
  if (role === "reflector" && network.routers.some((router) => !isInternal(network, router)))
    notes.push(
      "To routers of another AS on its own network, FRR adds its link-local address to IPv6 next hops: they have to prefer the global one, as the texts for FRR and BIRD do.",
    );
  return notes;
}

function notesOnUntried({ format }: RouterConfigRequest, network: RouterNetwork): string[] {
  const notes: string[] = [];
  if (format === "junos" && network.nearOnly)
    notes.push("Junos is heard as a neighbour (TTL 255); that it hears neighbours alone takes a firewall filter.");
  if (format === "junos" && network.mostNextHops > 16)
    notes.push("Junos takes 16 next hops unless its chassis is told otherwise: set chassis maximum-ecmp.");
  if (format === "ios-xr" && isDirect(network))
    notes.push(
      network.speakers.length === 0
        ? "IOS XR names each balancer, and no speaker is there yet. Write it anew then."
        : "IOS XR names each balancer: these are those of now. Write it anew for others.",
    );
  return notes;
}
