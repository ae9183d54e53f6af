import { newId } from "@fairlead/domain";
import { findEmbedded } from "@fairlead/launcher";
import pg from "pg";
import { dataFolder } from "./instance.ts";

/** joinOrganization makes another organisation with a person in it, and answers what takes it away again. */
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

async function query(text: string, values: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: findEmbedded(dataFolder) ?? "" });
  await client.connect();
  try {
    await client.query(text, values);
  } finally {
    await client.end();
  }
}
