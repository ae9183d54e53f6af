import { z } from "zod";
import type { ClusterKind } from "../cluster/cluster.ts";

/** Servers whose ticket keys can be replaced from outside: see docs/decisions/0042-names-of-ticket-keys.md. */
export const ticketSoftware = ["nginx", "haproxy", "node", "go", "envoy"] as const;
export type TicketSoftware = (typeof ticketSoftware)[number];

/** findSoftwareLack returns why servers with this software can't have managed keys in such a cluster, or null. The form follows it, too. */
export function findSoftwareLack(kind: ClusterKind, software: TicketSoftware): string | null {
  if (kind !== "kubernetes" || software !== "haproxy") return null;
  return "HAProxy gets new keys by a socket, which agents don't reach in pods";
}

/** What the files of an instance are in: replaced by its name on the node. */
export const instancePlaceholder = "{instance}";

export const mostRotateHours = 720;
const longestPath = 255;

/** In bytes, with the instance's name, as agents accept them: the second is the limit of a Unix socket's address. */
const longestPathOnNode = 1_024;
const longestSocket = 107;
const tooLongSocket = `the path of a socket has at most ${longestSocket} bytes, with the instance's name: enter a shorter one, such as /run/haproxy/admin.sock`;

/** Written as an agent accepts it: without a part that leaves the folder. */
const absolutePath = z
  .string()
  .max(longestPath)
  .refine(isAbsolutePath, "enter an absolute path without .. and control characters, such as /run/fairlead/tickets");

/** How the keys of TLS tickets reach the servers of an exposure. */
export const ticketKeys = z
  .strictObject({
    software: z
      .enum(ticketSoftware)
      .describe("The software of the servers. They resume each other's sessions only if all run the same."),
    folder: absolutePath.describe(
      `The folder on each node in which the agent writes the keys, with ${instancePlaceholder} for the name of the instance. In Kubernetes, where pods mount the Secret, without it.`,
    ),
    secret: z
      .string()
      .max(253)
      .regex(
        /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/,
        "enter the name of a Secret, such as shop-tickets",
      )
      .optional()
      .describe(
        "The Secret in the namespace of the workload in which Fairlead writes the keys. Required in Kubernetes, and only there.",
      ),
    socket: absolutePath
      .refine((path) => bytesOf(path.replaceAll(instancePlaceholder, "")) <= longestSocket, tooLongSocket)
      .optional()
      .describe(
        `HAProxy's runtime socket with the level admin, by which it gets new keys without a reload. It may contain ${instancePlaceholder}. Only with haproxy. Default: files only.`,
      ),
    rotateHours: z
      .int()
      .min(1)
      .max(mostRotateHours)
      .default(24)
      .describe("How long after a rotation the next one starts."),
  })
  .meta({ id: "TicketKeys" });
export type TicketKeys = z.infer<typeof ticketKeys>;

/**
 * findPathProblem returns why the keys of an instance can't be where the spec has them, or null. An agent rejects such keys, and
 * one of the first protocol the config of its whole node.
 */
export function findPathProblem(
  { folder, socket }: Pick<TicketKeys, "folder" | "socket">,
  instance: string,
): string | null {
  const [folderThere, socketThere] = [folder, socket ?? ""].map((path) =>
    path.replaceAll(instancePlaceholder, instance),
  );
  const isNamed = folder.includes(instancePlaceholder) || (socket ?? "").includes(instancePlaceholder);
  if (isNamed && (instance.startsWith("/") || /(^|\/)\.\.?(\/|$)|\p{Cc}/u.test(instance)))
    return "Its name can't be part of a path, so it gets no ticket keys.";
  if (bytesOf(folderThere ?? "") > longestPathOnNode)
    return `Its folder for ticket keys has more than ${longestPathOnNode} bytes: set a shorter folder.`;
  if (bytesOf(socketThere ?? "") > longestSocket)
    return `Its runtime socket ${socketThere} has more than ${longestSocket} bytes: set a shorter socket.`;
  return null;
}

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

function isAbsolutePath(path: string): boolean {
  return /^\/[^\p{Cc}]+$/u.test(path) && !path.split("/").includes("..");
}
