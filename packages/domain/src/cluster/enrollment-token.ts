import { z } from "zod";
import { idOf } from "../id.ts";
import { agentRoles } from "../node/agent-roles.ts";
import { objectName } from "../object-name.ts";
import { listInput } from "../page.ts";

const onceMostMinutes = 7 * 24 * 60;

export const createEnrollmentToken = z
  .strictObject({
    clusterId: idOf("cluster"),
    nodeName: objectName.optional().describe("Binds the token to one node's name."),
    reusable: z
      .boolean()
      .optional()
      .describe("Lets any number of machines join until it expires or is deleted, as the pods of a DaemonSet do."),
    roles: z
      .array(z.enum(agentRoles))
      .min(1)
      .max(agentRoles.length)
      .optional()
      .describe("What an agent may be that joins by it; anything when absent."),
    expiresInMinutes: z
      .int()
      .min(1)
      .max(366 * 24 * 60)
      .default(60),
  })
  .refine(({ reusable = false, expiresInMinutes }) => reusable || expiresInMinutes <= onceMostMinutes, {
    path: ["expiresInMinutes"],
    message: `${onceMostMinutes} minutes, a week, at most for a token that is used once`,
  })
  .refine(({ reusable = false, nodeName }) => !reusable || nodeName === undefined, {
    path: ["nodeName"],
    message: "leave the name out: one node joins once, and this token is for many",
  })
  .meta({ id: "CreateEnrollmentToken" });
export type CreateEnrollmentToken = z.infer<typeof createEnrollmentToken>;

/** The token itself is shown once, in the answer to its creation, and kept only as a hash. */
export const enrollmentToken = z
  .object({
    id: idOf("enrollmentToken"),
    clusterId: idOf("cluster"),
    clusterName: z.string(),
    nodeName: z.string().nullable(),
    createdBy: z.string(),
    createdAt: z.date(),
    expiresAt: z.date(),
    isReusable: z.boolean(),
    roles: z.array(z.string()).describe("What an agent may be that joins by it; anything when empty."),
    uses: z.int().describe("How many agents joined by it."),
    usedAt: z.date().nullable().describe("When the last of them did."),
    agentId: idOf("agent").nullable().describe("The last agent that it enrolled."),
    nodeId: idOf("node").nullable().describe("The node that this agent runs on, new or known before."),
  })
  .meta({ id: "EnrollmentToken" });
export type EnrollmentToken = z.infer<typeof enrollmentToken>;
export const createdEnrollmentToken = enrollmentToken
  .extend({ token: z.string(), command: z.string().describe("The line to run on the machine.") })
  .meta({ id: "CreatedEnrollmentToken" });
export type CreatedEnrollmentToken = z.infer<typeof createdEnrollmentToken>;

export const listEnrollmentTokens = listInput(
  ["createdAt", "expiresAt", "clusterName"],
  { clusterId: idOf("cluster").optional(), reusable: z.boolean().optional() },
  { sort: "createdAt", direction: "desc" },
);
export type ListEnrollmentTokens = z.infer<typeof listEnrollmentTokens>;
