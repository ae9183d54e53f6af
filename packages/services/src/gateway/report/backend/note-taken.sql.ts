import type { Tx } from "@fairlead/db";

/**
 * noteTaken records that instances of these exposures take connections by TLS session, where one does. It is called before
 * a change of what is known of instances. A row that another transaction locks is left out: that one records the same.
 */
export async function noteTaken(tx: Tx, exposureIds: readonly string[], now: Date): Promise<void> {
  if (exposureIds.length === 0) return;
  await tx.$executeRaw`
    UPDATE exposure_session SET taken_at = ${now}::timestamptz WHERE exposure_id IN (
      SELECT s.exposure_id FROM exposure_session s WHERE s.exposure_id = ANY(${[...new Set(exposureIds)]}::text[]) AND EXISTS (
        SELECT 1 FROM load_balancer l JOIN backend b ON b.load_balancer_id = l.id JOIN backend_server_status h ON h.backend_id = b.id
        WHERE l.exposure_id = s.exposure_id AND h.ready AND NOT EXISTS (SELECT 1 FROM source_check c WHERE c.backend_id = b.id)
      ) FOR UPDATE SKIP LOCKED)`;
}
