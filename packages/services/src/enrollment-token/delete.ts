import { inTransaction } from "@fairlead/db";
import type { EnrollmentToken } from "@fairlead/domain/cluster";
import { authorize, type ServiceContext } from "../context.ts";
import { loadOne } from "../control/load-one.ts";
import { lockRow } from "../control/lock-row.sql.ts";
import { recordChange } from "../control/record-change.ts";
import { enrollmentTokenSource } from "./rows.ts";

/** deleteEnrollmentToken invalidates a token. An agent that already joined with it stays. */
export async function deleteEnrollmentToken(ctx: ServiceContext, id: string): Promise<void> {
  authorize(ctx, "node:write");
  await inTransaction(ctx.db, async (tx) => {
    await lockRow(tx, "enrollment_token", ctx.organizationId, id);
    const before = await loadOne<EnrollmentToken>(tx, "enrolment token", enrollmentTokenSource, ctx.organizationId, id);
    await tx.enrollmentToken.delete({ where: { id } });
    await recordChange(tx, ctx, {
      action: "enrollment-token.delete",
      subjectKind: "enrollment-token",
      subjectId: id,
      subjectName: before.nodeName ?? before.clusterName,
      clusterId: before.clusterId,
      before,
      after: null,
    });
  });
}
