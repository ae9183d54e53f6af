import type { Tx } from "@fairlead/db";
import { DomainError } from "@fairlead/domain";
import type { Actor } from "@fairlead/domain/access";

/**
 * checkBound refuses to take a session beyond the organisation that it is bound to. A provider speaks for its own
 * organisation alone: whoever controls it can sign in as anybody it has admitted, and must not reach where else they are.
 */
export async function checkBound(tx: Tx, actor: Actor & { kind: "user" }, organizationId: string): Promise<void> {
  const session = await tx.session.findUnique({
    where: { id: actor.sessionId ?? "" },
    select: { boundOrganizationId: true },
  });
  if (!session?.boundOrganizationId || session.boundOrganizationId === organizationId) return;
  throw new DomainError(
    "forbidden",
    "You signed in with an identity provider, which speaks for its own organisation alone. Sign in with a password to go elsewhere.",
  );
}
