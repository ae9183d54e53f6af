import { inTransaction } from "@fairlead/db";
import { DomainError } from "@fairlead/domain";
import type { ChangePassword } from "@fairlead/domain/access";
import type { ServiceContext } from "../../context.ts";
import { recordChange } from "../../control/record-change.ts";
import { hashPassword, matchesPassword, setPassword } from "../password-user.ts";
import { countRefusedPassword, type RefusedPassword } from "./count-refused-sign-in.ts";
import { endSessions } from "./end-sessions.ts";
import { forgetSignInAttempts, takeSignInAttempt } from "./sign-in-allowance.ts";

/** changePassword requires the current one, and ends every other session of the user: one of them may be stolen. */
export async function changePassword(ctx: ServiceContext, input: ChangePassword): Promise<void> {
  const { actor, organizationId, db, now } = ctx;
  if (actor.kind !== "user" || !actor.sessionId)
    throw new DomainError("forbidden", "Only a signed-in user has a password to change.");
  const user = await db.user.findUniqueOrThrow({ where: { id: actor.id } });
  const attempt = { email: user.email, address: null, knownClient: actor.sessionId };
  const count = (reason: RefusedPassword["reason"]) => countRefused(ctx, user.email, reason);
  await takeSignInAttempt(db, attempt, now).catch((error: unknown) => {
    if (error instanceof DomainError) count("too-many-attempts");
    throw error;
  });
  if (!(await matchesPassword(db, user.id, input.currentPassword))) {
    count("incorrect-password");
    const message = "Incorrect current password.";
    throw new DomainError("invalid", message, { fields: [{ path: ["currentPassword"], message }] });
  }
  const passwordHash = await hashPassword(input.newPassword);
  await inTransaction(db, async (tx) => {
    await setPassword(tx, user.id, passwordHash);
    await endSessions(tx, ctx, { userId: user.id, id: { not: actor.sessionId ?? "" } }, "password-change");
    const member = await tx.member.findUniqueOrThrow({
      where: { organizationId_userId: { organizationId, userId: user.id } },
    });
    await recordChange(tx, ctx, {
      action: "member.change-password",
      subjectKind: "member",
      subjectId: member.id,
      subjectName: user.name,
      clusterId: null,
      before: null,
      after: null,
    });
  });
  await forgetSignInAttempts(db, attempt);
}

/** Guesses in a session that may be stolen are in the audit like those at sign-in. */
function countRefused(ctx: ServiceContext, email: string, reason: RefusedPassword["reason"]): void {
  const refused = { email, address: ctx.clientAddress ?? null, reason, method: "password change" } as const;
  countRefusedPassword(ctx.db, refused, ctx.now, (err) =>
    ctx.logDetail?.("refused password not in the audit", { err }),
  );
}
