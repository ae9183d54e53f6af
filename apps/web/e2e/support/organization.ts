import { newId } from "@fairlead/domain";
import { query } from "./database.ts";

/** joinOrganization adds a user to a new organisation, and returns a function that deletes it. */
export async function joinOrganization(name: string, email: string): Promise<() => Promise<void>> {
  const organizationId = newId("organization");
  await query("INSERT INTO organization (id, name, slug, updated_at) VALUES ($1, $2, $2, now())", [
    organizationId,
    name,
  ]);
  await query(
    `INSERT INTO member (id, organization_id, user_id, role) SELECT $1, $2, id, 'owner' FROM "user" WHERE email = $3`,
    [newId("member"), organizationId, email],
  );
  return () => query("DELETE FROM organization WHERE id = $1", [organizationId]);
}
