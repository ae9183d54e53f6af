import { z } from "zod";

/** The kinds of object that tasks, events and the live feed point at. */
export const subjectKinds = [
  "cluster",
  "node",
  "agent",
  "exposure",
  "load-balancer",
  "address-pool",
  "member",
  "invitation",
  "api-key",
  "identity-provider",
  "enrollment-token",
  "organization",
] as const;
export const subjectKind = z.enum(subjectKinds).meta({ id: "SubjectKind" });
export type SubjectKind = z.infer<typeof subjectKind>;
