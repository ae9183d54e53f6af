import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { lastLines } from "../process/log-file.ts";
import type { Program } from "../process/supervisor.ts";
import { Refusal } from "../refusal.ts";
import { fatalReason } from "./fatal-reason.ts";
import type { Embedded } from "./postgres.ts";

/** One exit may be caused by what a killed server left behind; after a second exit, more restarts won't help. */
const maxExits = 1;
const timeoutMs = 60_000;

/** openEmbedded waits until the server accepts connections and creates the database. Problems that waiting can't fix fail at once. */
export async function openEmbedded(embedded: Embedded, server: { exits: number }): Promise<void> {
  const admin = embedded.url.replace(/\/fairlead$/, "/postgres");
  const { logFile } = embedded.program;
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const problem = await createDatabase(admin, "fairlead");
    if (problem === null) return;
    if (/^28/.test(problem.code ?? "")) throw new Refusal(wrongPassword(embedded));
    if (server.exits > maxExits) throw new Refusal(ended(embedded));
    if (Date.now() > deadline)
      throw new Refusal(
        `PostgreSQL did not accept connections within a minute (${problem.message}). Last lines of ${logFile}:\n${lastLines(logFile, 5, embedded.logBefore)}`,
      );
    await sleep(50);
  }
}

function wrongPassword({ program, cluster, passwordFile }: Embedded): string {
  const { uid, gid = uid } = program.user ?? {};
  const owner = uid === undefined ? "" : `setpriv --reuid=${uid} --regid=${gid} --clear-groups `;
  return `The password in ${passwordFile} is not the one of PostgreSQL's data in ${cluster}. Restore the original file, or set this password with:
echo "ALTER ROLE fairlead PASSWORD '$(cat ${passwordFile})'" | ${owner}${program.command} --single -D ${cluster} postgres`;
}

function ended({ program, cluster, logBefore }: Embedded): string {
  const reason = fatalReason(lastLines(program.logFile, 20, logBefore));
  return `PostgreSQL ended right after its start: ${reason}. ${fixFor(reason, program, cluster)}`;
}

function fixFor(reason: string, program: Program, cluster: string): string {
  if (/No space left|quota exceeded/.test(reason)) return `Free disk space for ${cluster} and start again.`;
  if (/wrong ownership|Permission denied/.test(reason))
    return `Restore the owner of its data with: chown -R ${program.user?.uid ?? process.getuid?.()} ${cluster}`;
  return `Fix this and start again. Details are in ${program.logFile}.`;
}

/** createDatabase returns the error, if any. */
async function createDatabase(admin: string, name: string): Promise<(Error & { code?: string }) | null> {
  const client = new pg.Client({ connectionString: admin, connectionTimeoutMillis: 2_000 });
  try {
    await client.connect();
    const { rowCount } = await client.query("SELECT 1 FROM pg_database WHERE datname = $1", [name]);
    if (!rowCount) await client.query(`CREATE DATABASE ${name}`);
    return null;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  } finally {
    await client.end().catch(() => {});
  }
}
