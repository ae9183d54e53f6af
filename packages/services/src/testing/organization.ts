import type { Db } from "@fairlead/db";
import { newId } from "@fairlead/domain";
import type { Actor, Role } from "@fairlead/domain/access";
import type { ServiceContext } from "../context.ts";

/** createTestOrganization creates a separate organisation for a test, with a context for an actor of the given role. */
export async function createTestOrganization(db: Db, role: Role = "owner"): Promise<ServiceContext> {
  const organizationId = newId("organization");
  await db.organization.create({ data: { id: organizationId, name: "Test", slug: organizationId.slice(4) } });
  const actor: Actor = { kind: "user", id: "user-of-test", name: "Test", role };
  const addresses = { url: "http://127.0.0.1:3000", gatewayUrl: "https://127.0.0.1:7443" };
  const settings = { ...addresses, secret: "only-for-tests-".repeat(3) };
  return { db, actor, organizationId, now: new Date(), settings };
}
