import { z } from "zod";
import { idOf } from "./id.ts";
import { objectName } from "./object-name.ts";
import { listInput } from "./page.ts";

export const createEnrollmentToken = z
  .strictObject({
    clusterId: idOf("cluster"),
    nodeName: objectName.optional().describe("Binds the token to one node's name."),
    expiresInMinutes: z
      .int()
      .min(1)
      .max(7 * 24 * 60)
      .default(60),
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
    usedAt: z.date().nullable(),
    agentId: idOf("agent").nullable().describe("The agent that it enrolled."),
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
  { clusterId: idOf("cluster").optional() },
  { sort: "createdAt", direction: "desc" },
);
export type ListEnrollmentTokens = z.infer<typeof listEnrollmentTokens>;
