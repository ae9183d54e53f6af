import type { Page } from "@fairlead/domain";
import type { EnrollmentToken, ListEnrollmentTokens } from "@fairlead/domain/cluster";
import type { ServiceContext } from "../context.ts";
import { contains, equals, isTrue } from "../control/filter.sql.ts";
import { listWithin } from "../control/list-within.ts";
import { enrollmentTokenSource } from "./rows.ts";

const casts = { createdAt: "timestamptz", expiresAt: "timestamptz", clusterName: "text" } as const;

/**
 * listEnrollmentTokens shows who invited which machine; the tokens themselves are shown once, when they are created.
 */
export async function listEnrollmentTokens(
  ctx: ServiceContext,
  input: ListEnrollmentTokens,
): Promise<Page<EnrollmentToken>> {
  return listWithin<EnrollmentToken>(ctx, "node:read", input, {
    ...enrollmentTokenSource,
    sort: { cast: casts[input.sort] },
    where: [
      contains(["nodeName", "clusterName", "createdBy"], input.search),
      equals("clusterId", input.clusterId),
      isTrue('"isReusable"', input.reusable),
    ],
  });
}
