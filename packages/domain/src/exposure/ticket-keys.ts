import { z } from "zod";

/** Servers whose ticket keys can be replaced from outside: see docs/decisions/0042-names-of-ticket-keys.md. */
export const ticketSoftware = ["nginx", "haproxy", "node", "go", "envoy"] as const;
export type TicketSoftware = (typeof ticketSoftware)[number];

/** What the files of an instance are in: replaced by its name on the node. */
export const instancePlaceholder = "{instance}";

export const mostRotateHours = 720;
const longestPath = 255;

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
    folder: absolutePath
      .refine(
        (path) => path.includes(instancePlaceholder),
        `put ${instancePlaceholder} into the path, such as /run/fairlead/tickets/${instancePlaceholder}: each instance has files of its own`,
      )
      .describe(
        `The folder on each node in which the agent writes the keys, with ${instancePlaceholder} for the name of the instance.`,
      ),
    socket: absolutePath
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

function isAbsolutePath(path: string): boolean {
  return /^\/[^\p{Cc}]+$/u.test(path) && !path.split("/").includes("..");
}
