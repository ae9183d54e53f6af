import { Prisma, selectPage } from "@fairlead/db";
import type { EnrollmentToken, ListEnrollmentTokens, Page } from "@fairlead/domain";
import { authorize, type ServiceContext } from "../context.ts";
import { contains, equals } from "../control/filter.sql.ts";
import { enrollmentTokenSource } from "./rows.ts";

const casts = { createdAt: "timestamptz", expiresAt: "timestamptz", clusterName: "text" } as const;

/** listEnrollmentTokens shows who invited which machine; the tokens themselves are shown once, when they are made. */
export async function listEnrollmentTokens(
  ctx: ServiceContext,
  input: ListEnrollmentTokens,
): Promise<Page<EnrollmentToken>> {
  authorize(ctx, "node:read");
  return selectPage<EnrollmentToken>(ctx.db, {
    ...enrollmentTokenSource,
    sort: { column: input.sort, cast: casts[input.sort] },
    direction: input.direction,
    where: [
      Prisma.sql`"organizationId" = ${ctx.organizationId}`,
      contains(["nodeName", "clusterName", "createdBy"], input.search),
      equals("clusterId", input.clusterId),
      input.reusable === undefined ? Prisma.sql`true` : Prisma.sql`"isReusable" = ${input.reusable}`,
    ],
    page: input,
  });
}
