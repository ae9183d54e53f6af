import type { Tx } from "@fairlead/db";
import { DomainError } from "@fairlead/domain";
import type { Actor } from "@fairlead/domain/access";

/**
 * checkBound refuses to switch a session away from the organisation that it is bound to. A provider is trusted for its
 * own organisation alone: its administrator can sign in as any user it has admitted, and must not reach their other
 * ones.
 */
export async function checkBound(tx: Tx, actor: Actor & { kind: "user" }, organizationId: string): Promise<void> {
  const session = await tx.session.findUnique({
    where: { id: actor.sessionId ?? "" },
    select: { boundOrganizationId: true },
  });
  if (!session?.boundOrganizationId || session.boundOrganizationId === organizationId) return;
  throw new DomainError(
    "forbidden",
    "You signed in with an identity provider, which is valid for its own organisation only. Sign in with a password to switch.",
  );
}
