import type { Db } from "@fairlead/db";

/** A provider on the public sign-in page. Its organisation is named only if another one has a provider of this name. */
export type SignInProvider = { key: string; name: string; organization: string | null };

const maxOffered = 20;

/**
 * listSignInProviders lists providers of all organisations, for the public sign-in page. It takes the oldest of each organisation
 * first, so that one with many can't displace another's.
 */
export async function listSignInProviders(db: Db): Promise<SignInProvider[]> {
  return db.$queryRaw<SignInProvider[]>`
    WITH ranked AS (
      SELECT *, row_number() OVER (PARTITION BY organization_id ORDER BY created_at, id) AS rank FROM sso_provider
    ), offered AS (
      SELECT * FROM ranked ORDER BY rank, created_at, id LIMIT ${maxOffered}
    )
    SELECT p.provider_id AS key, p.name, CASE WHEN count(*) OVER (PARTITION BY p.name) > 1 THEN o.name END AS organization
    FROM offered p LEFT JOIN organization o ON o.id = p.organization_id
    ORDER BY p.name, p.provider_id`;
}
