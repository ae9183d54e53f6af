import type { Db } from "@fairlead/db";

/** countConnections counts the connections of the processes of one name, by their state. */
export async function countConnections(db: Db, applicationName: string): Promise<{ state: string; count: number }[]> {
  return db.$queryRaw`
    SELECT coalesce(state, 'unknown') AS state, count(*)::int AS count FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = ${applicationName} GROUP BY 1 ORDER BY 1`;
}

/** pingDatabase returns true, or throws. */
export async function pingDatabase(db: Db): Promise<true> {
  await db.$queryRaw`SELECT 1`;
  return true;
}
