import { Prisma, type Tx } from "@fairlead/db";
import { kubeconfigNoticeDays } from "@fairlead/domain/kubernetes";
import { inCluster, rankFound, type Scope } from "./rank-found.sql.ts";

export type ExpiringRow = {
  id: string;
  subjectId: string;
  name: string;
  clusterId: string | null;
  clusterName: string | null;
  /** Of the agent, or who created the token. */
  owner: string;
  expiresAt: Date;
};

/** A week before the expiry, or the last quarter of a shorter life: a short-lived token is not listed from the start. */
const noticed = Prisma.sql`expires_at - least(interval '7 days', (expires_at - created_at) / 4)`;

/** findCertificates finds certificates that their agents did not renew. They renew ten days before the expiry. */
export function findCertificates(tx: Tx, scope: Scope) {
  const { now } = scope;
  return rankFound<ExpiringRow>(
    tx,
    scope,
    Prisma.sql`
      SELECT a.id, n.id AS "subjectId", n.name, c.id AS "clusterId", c.name AS "clusterName", coalesce(a.roles[1], '') AS owner,
        a.certificate_expires_at AS "expiresAt",
        CASE WHEN a.certificate_expires_at <= ${now} THEN a.certificate_expires_at ELSE a.certificate_expires_at - interval '7 days' END AS since,
        CASE WHEN a.certificate_expires_at <= ${now} THEN 'certificate-expired' ELSE 'certificate-expiring' END AS kind
      FROM agent a
      JOIN node n ON n.id = a.node_id
      JOIN cluster c ON c.id = n.cluster_id
      WHERE a.organization_id = ${scope.organizationId} AND ${inCluster("c.id", scope)}
        AND a.revoked_at IS NULL AND a.certificate_expires_at <= ${now}::timestamptz + interval '7 days'`,
  );
}

/**
 * findKubeconfigs finds kubeconfigs whose client certificate expires soon. Once it has, the cluster denies access, which is
 * found as such.
 */
export function findKubeconfigs(tx: Tx, scope: Scope) {
  return rankFound<ExpiringRow>(
    tx,
    scope,
    Prisma.sql`
      SELECT id, id AS "subjectId", name, id AS "clusterId", name AS "clusterName", '' AS owner, expires_at AS "expiresAt",
        expires_at - make_interval(days => ${kubeconfigNoticeDays}::int) AS since, 'kubeconfig-expiring' AS kind
      FROM (
        SELECT c.id, c.name, (k.settings ->> 'certificateExpiresAt')::timestamptz AS expires_at
        FROM cluster c
        JOIN kubernetes_access k ON k.cluster_id = c.id
        WHERE c.organization_id = ${scope.organizationId} AND ${inCluster("c.id", scope)}
      ) kubeconfig
      WHERE expires_at > ${scope.now}`,
  );
}

/** findTokens finds reusable enrolment tokens: one that is used once serves a machine that is set up right now. */
export function findTokens(tx: Tx, scope: Scope) {
  return rankFound<ExpiringRow>(
    tx,
    scope,
    Prisma.sql`
      SELECT t.id, c.id AS "subjectId", c.name, c.id AS "clusterId", c.name AS "clusterName", t.created_by AS owner,
        t.expires_at AS "expiresAt", t.since, 'token-expiring' AS kind
      FROM (SELECT *, ${noticed} AS since FROM enrollment_token WHERE is_reusable AND expires_at > ${scope.now}) t
      JOIN cluster c ON c.id = t.cluster_id
      WHERE c.organization_id = ${scope.organizationId} AND ${inCluster("c.id", scope)}`,
  );
}

/** findApiKeys finds keys that are active, and soon no longer. */
export function findApiKeys(tx: Tx, scope: Scope) {
  return rankFound<ExpiringRow>(
    tx,
    scope,
    Prisma.sql`
      SELECT id, id AS "subjectId", name, NULL AS "clusterId", NULL AS "clusterName", '' AS owner, expires_at AS "expiresAt",
        ${noticed} AS since, 'api-key-expiring' AS kind
      FROM api_key
      WHERE organization_id = ${scope.organizationId} AND revoked_at IS NULL AND expires_at > ${scope.now}`,
  );
}
