import { inTransaction } from "@fairlead/db";
import { newId } from "@fairlead/domain";
import type { CreatedEnrollmentToken, CreateEnrollmentToken, EnrollmentToken } from "@fairlead/domain/cluster";
import { authorityFingerprint } from "../authority/fingerprint.ts";
import { authorize, type ServiceContext } from "../context.ts";
import { loadOne } from "../control/load-one.ts";
import { lockRow } from "../control/lock-row.sql.ts";
import { recordChange } from "../control/record-change.ts";
import {
  formatEnrollmentToken,
  hashEnrollmentSecret,
  newEnrollmentSecret,
} from "../gateway/enroll/enrollment-token.ts";
import { enrollmentCommand, installCommand } from "./commands.ts";
import { enrollmentTokenSource } from "./rows.ts";

/** createEnrollmentToken lets one machine join a cluster, once, for a while; or many, on request. Only this answer ever holds the token. */
export async function createEnrollmentToken(
  ctx: ServiceContext,
  input: CreateEnrollmentToken,
): Promise<CreatedEnrollmentToken> {
  authorize(ctx, "node:write");
  const { organizationId, now } = ctx;
  return inTransaction(ctx.db, async (tx) => {
    await lockRow(tx, "cluster", organizationId, input.clusterId, { mode: "share", path: ["clusterId"] });
    const authority = await authorityFingerprint(tx);
    const id = newId("enrollmentToken", now);
    const secret = newEnrollmentSecret();
    await tx.enrollmentToken.create({
      data: {
        id,
        organizationId,
        clusterId: input.clusterId,
        secretHash: hashEnrollmentSecret(secret),
        nodeName: input.nodeName ?? null,
        isReusable: input.reusable ?? false,
        roles: input.roles ?? [],
        createdBy: ctx.actor.name,
        createdAt: now,
        expiresAt: new Date(now.getTime() + input.expiresInMinutes * 60_000),
      },
    });
    const stored = await loadOne<EnrollmentToken>(tx, "enrolment token", enrollmentTokenSource, organizationId, id);
    await recordChange(tx, ctx, {
      action: "enrollment-token.create",
      subjectKind: "enrollment-token",
      subjectId: id,
      subjectName: stored.nodeName ?? stored.clusterName,
      clusterId: stored.clusterId,
      before: null,
      after: stored,
    });
    const token = formatEnrollmentToken({ id, secret, authority });
    return {
      ...stored,
      token,
      command: enrollmentCommand(token, stored, ctx.settings),
      installCommand: installCommand(token, stored, ctx.settings),
    };
  });
}
