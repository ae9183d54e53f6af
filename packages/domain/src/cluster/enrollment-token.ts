import { z } from "zod";
import { idOf } from "../id.ts";
import { agentRoles } from "../node/agent-roles.ts";
import { objectName } from "../object-name.ts";
import { listInput } from "../page.ts";

const onceMostMinutes = 7 * 24 * 60;

export const createEnrollmentToken = z
  .strictObject({
    clusterId: idOf("cluster"),
    nodeName: objectName.optional().describe("Restricts the token to this node."),
    reusable: z
      .boolean()
      .optional()
      .describe("Lets any number of machines join until it expires or is deleted, such as the pods of a DaemonSet."),
    roles: z
      .array(z.enum(agentRoles))
      .min(1)
      .max(agentRoles.length)
      .optional()
      .describe("Roles allowed for agents that enrol with it. If absent: all."),
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
    message: "leave the name out: a reusable token is for many nodes",
  })
  .meta({ id: "CreateEnrollmentToken" });
export type CreateEnrollmentToken = z.infer<typeof createEnrollmentToken>;

/** The token itself is returned once, on creation, and stored only as a hash. */
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
    roles: z.array(z.string()).describe("Roles allowed for agents that enrol with it. If empty: all."),
    uses: z.int().describe("Number of agents that enrolled with it."),
    usedAt: z.date().nullable().describe("When the last agent enrolled with it."),
    agentId: idOf("agent").nullable().describe("The last agent that enrolled with it."),
    nodeId: idOf("node").nullable().describe("The node of this agent, whether new or already known."),
  })
  .meta({ id: "EnrollmentToken" });
export type EnrollmentToken = z.infer<typeof enrollmentToken>;
export const createdEnrollmentToken = enrollmentToken
  .extend({
    token: z.string(),
    installCommand: z
      .string()
      .describe(
        "The command that downloads the agent from this control plane, installs it as a systemd service and starts it, with the first of the roles.",
      ),
    command: z
      .string()
      .describe(
        "The command to run on a machine that has the agent: an agent of the first of the roles, or of the role node if all are allowed. For another role, replace the name after fairlead-agent.",
      ),
  })
  .meta({ id: "CreatedEnrollmentToken" });
export type CreatedEnrollmentToken = z.infer<typeof createdEnrollmentToken>;

export const listEnrollmentTokens = listInput(
  ["createdAt", "expiresAt", "clusterName"],
  { clusterId: idOf("cluster").optional(), reusable: z.boolean().optional() },
  { sort: "createdAt", direction: "desc" },
);
export type ListEnrollmentTokens = z.infer<typeof listEnrollmentTokens>;
