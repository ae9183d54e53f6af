import type { Db } from "@fairlead/db";

export type StoredAccess = {
  id: string;
  name: string;
  organizationId: string;
  /** If it differs, so does the access. */
  sealed: string;
};

/** selectAttached returns all clusters with an attached Kubernetes API: a controller watches each of them. */
export function selectAttached(db: Db): Promise<StoredAccess[]> {
  return db.$queryRaw<StoredAccess[]>`
    SELECT c.id, c.name, c.organization_id AS "organizationId", k.sealed
    FROM kubernetes_access k JOIN cluster c ON c.id = k.cluster_id ORDER BY c.id`;
}
