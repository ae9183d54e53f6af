import type { Db } from "@fairlead/db";

export type StoredAccess = {
  id: string;
  name: string;
  organizationId: string;
  /** Another one means another access. */
  sealed: string;
};

/** selectAttached are the clusters whose Kubernetes API we may ask, all of them: a controller keeps an eye on each. */
export function selectAttached(db: Db): Promise<StoredAccess[]> {
  return db.$queryRaw<StoredAccess[]>`
    SELECT c.id, c.name, c.organization_id AS "organizationId", k.sealed
    FROM kubernetes_access k JOIN cluster c ON c.id = k.cluster_id ORDER BY c.id`;
}
