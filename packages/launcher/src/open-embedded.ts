import pg from "pg";
import { fatalWords } from "./fatal-words.ts";
import { lastLines } from "./log-file.ts";
import type { Embedded } from "./postgres.ts";
import { Refusal } from "./refusal.ts";
import type { Program } from "./supervisor.ts";

/** One that ends once may have met what a killed server left behind; one that ends again will go on doing so. */
const mostEndings = 1;
const patienceMs = 60_000;

/** openEmbedded waits until the server answers, and makes our database in it. What no waiting cures is refused at once. */
export async function openEmbedded(embedded: Embedded, server: { endings: number }): Promise<void> {
  const admin = embedded.url.replace(/\/fairlead$/, "/postgres");
  const { logFile } = embedded.program;
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const problem = await createDatabase(admin, "fairlead");
    if (problem === null) return;
    if (/^28/.test(problem.code ?? "")) throw new Refusal(wrongPassword(embedded));
    if (server.endings > mostEndings) throw new Refusal(ended(embedded));
    if (Date.now() > deadline)
      throw new Refusal(
        `PostgreSQL did not answer within a minute (${problem.message}); its last words, from ${logFile}:\n${lastLines(logFile, 5, embedded.logBefore)}`,
      );
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function wrongPassword({ program, cluster, passwordFile }: Embedded): string {
  const { uid, gid = uid } = program.user ?? {};
  const owner = uid === undefined ? "" : `setpriv --reuid=${uid} --regid=${gid} --clear-groups `;
  return `PostgreSQL's data in ${cluster} were set up with another password than the one in ${passwordFile}: put the former file back, or give them this one with:
echo "ALTER ROLE fairlead PASSWORD '$(cat ${passwordFile})'" | ${owner}${program.command} --single -D ${cluster} postgres`;
}

function ended({ program, cluster, logBefore }: Embedded): string {
  const words = fatalWords(lastLines(program.logFile, 20, logBefore));
  return `PostgreSQL ends as soon as it is started: ${words}. ${cureOf(words, program, cluster)}`;
}

function cureOf(words: string, program: Program, cluster: string): string {
  if (/No space left|quota exceeded/.test(words)) return `Make room on the disk of ${cluster} and start again.`;
  if (/wrong ownership|Permission denied/.test(words))
    return `Give its data back to it, with: chown -R ${program.user?.uid ?? process.getuid?.()} ${cluster}`;
  return `Cure that and start again; more is in ${program.logFile}.`;
}

/** createDatabase answers what kept it from that. */
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
