import type { ClusterKind } from "../cluster/cluster.ts";
import type { ExposedPort } from "./exposed-port.ts";
import type { SessionStrategy, Strategy } from "./strategy.ts";
import { findSoftwareLack, instancePlaceholder, type TicketKeys } from "./ticket-keys.ts";

export type SessionProblem = {
  path:
    | ["strategy", "serverNames" | "ticketKeys" | "names" | "fallbacks"]
    | ["strategy", "ticketKeys", "software" | "folder" | "socket" | "secret"]
    | ["ports", number, "protocol" | "targetPort"];
  message: string;
};

/** findSessionProblem returns why connections to these ports can't be placed by TLS session, or null. */
export function findSessionProblem(
  strategy: Strategy,
  ports: readonly (Pick<ExposedPort, "port" | "targetPort"> & Partial<Pick<ExposedPort, "protocol">>)[],
): SessionProblem | null {
  if (strategy.type !== "session") return null;
  const udp = ports.findIndex(({ protocol }) => protocol === "udp");
  if (udp >= 0)
    return {
      path: ["ports", udp, "protocol"],
      message: "the strategy session reads TLS over TCP, which UDP has none of: choose tcp, or another strategy",
    };
  const moved = ports.findIndex(({ port, targetPort = port }) => targetPort !== port);
  if (moved >= 0)
    return {
      path: ["ports", moved, "targetPort"],
      message:
        "the strategy session leaves the port as it is: let the instances listen on the exposed port, or expose the port on which they listen",
    };
  if (strategy.fallbacks.indexOf("plain") !== strategy.fallbacks.length - 1)
    return {
      path: ["strategy", "fallbacks"],
      message: "plain is always possible, so nothing can follow it: list proxy and plain, or plain alone",
    };
  if (strategy.names === "off" && strategy.serverNames && strategy.serverNames.length > 0)
    return {
      path: ["strategy", "serverNames"],
      message: "server names are used only to learn names: leave them out, or set names to learned",
    };
  return findTicketKeysProblem(strategy);
}

function findTicketKeysProblem({ names, ticketKeys }: SessionStrategy): SessionProblem | null {
  const path = ["strategy", "ticketKeys"] as const;
  if (names === "managed" && !ticketKeys)
    return {
      path: [...path],
      message:
        "managed keys need the software of the servers and a folder on their nodes: set ticketKeys, or set names to learned",
    };
  if (names !== "managed" && ticketKeys)
    return {
      path: [...path],
      message: "ticketKeys are used only with managed names: leave them out, or set names to managed",
    };
  if (ticketKeys?.socket !== undefined && ticketKeys.software !== "haproxy")
    return {
      path: [...path, "socket"],
      message: "only haproxy gets keys by a socket: leave it out, or set software to haproxy",
    };
  return ticketKeys ? findPlaceOfKeysProblem(ticketKeys) : null;
}

/** findPlaceOfKeysProblem checks the folder: it is of a node, or where pods mount a Secret. */
function findPlaceOfKeysProblem({ software, folder, secret }: TicketKeys): SessionProblem | null {
  const path = ["strategy", "ticketKeys"] as const;
  const isOfInstance = folder.includes(instancePlaceholder);
  if (secret === undefined)
    return isOfInstance
      ? null
      : {
          path: [...path, "folder"],
          message: `put ${instancePlaceholder} into the path, such as /run/fairlead/tickets/${instancePlaceholder}: each instance has files of its own`,
        };
  if (isOfInstance)
    return {
      path: [...path, "folder"],
      message: `leave ${instancePlaceholder} out: all pods mount the Secret at the same path, such as /etc/nginx/tickets`,
    };
  const lack = findSoftwareLack("kubernetes", software);
  if (lack === null) return null;
  return { path: [...path, "software"], message: `${lack}: choose another software, or set names to learned` };
}

/** findDeliveryOfKeysProblem returns why managed keys can't reach the servers of such a cluster, or null. */
export function findDeliveryOfKeysProblem(strategy: Strategy, kind: ClusterKind): SessionProblem | null {
  if (strategy.type !== "session" || strategy.names !== "managed") return null;
  const path: SessionProblem["path"] = ["strategy", "ticketKeys", "secret"];
  const hasSecret = strategy.ticketKeys?.secret !== undefined;
  if (kind === "kubernetes" && !hasSecret)
    return {
      path,
      message: "pods read managed keys from a Secret that they mount: enter its name, or set names to learned",
    };
  if (kind !== "kubernetes" && hasSecret)
    return { path, message: "only pods mount a Secret: leave it out, and agents write the keys into the folder" };
  return null;
}
