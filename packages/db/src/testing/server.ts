import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { freePort } from "../free-port.ts";
import { migrate } from "../migrate.ts";
import { EmbeddedPostgres } from "./embedded-postgres.ts";

export const migrationsFolder = fileURLToPath(new URL("../../../../prisma/migrations", import.meta.url));
export const templateDatabase = "fairlead_template";

/**
 * startTestServer gives the tests a PostgreSQL of their own, with one migrated template database that every
 * test file copies. Durability is off: a test that needs it starts its own server.
 */
export async function startTestServer(): Promise<{ url: string; stop: () => Promise<void> }> {
  const { server, url, remove } = await initializeServer(["fsync=off", "full_page_writes=off"]);
  const stop = async () => {
    await server.stop();
    remove();
  };
  await server.start();
  try {
    await createTemplate(url);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, stop };
}

export type DurableServer = {
  url: string;
  /** Ends the server as a power cut would end its processes: no checkpoint, no goodbye; what was committed must survive. */
  crash: () => Promise<void>;
  /** Brings it back on the same data and the same port. */
  restart: () => Promise<void>;
  stop: () => Promise<void>;
};

/** startDurableServer gives one test a migrated PostgreSQL that keeps its promises, and that may be crashed. */
export async function startDurableServer(): Promise<DurableServer> {
  const { server, url, folder, remove } = await initializeServer([]);
  await server.start();
  await migrate(url, migrationsFolder);
  return {
    url,
    async crash() {
      const pid = serverPid(folder);
      if (!pid) throw new Error("PostgreSQL is not running");
      process.kill(pid, "SIGQUIT"); // what pg_ctl stop -m immediate sends
      await untilGone(pid);
    },
    restart: () => server.start(),
    async stop() {
      await server.stop();
      remove();
    },
  };
}

function serverPid(folder: string): number | null {
  const file = path.join(folder, "data", "postmaster.pid");
  return existsSync(file) ? Number(readFileSync(file, "utf8").split("\n")[0]) : null;
}

async function untilGone(pid: number): Promise<void> {
  for (let waited = 0; waited < 10_000; waited += 20) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`PostgreSQL (${pid}) did not stop within 10 s`);
}

/** initializeServer prepares a server on a free port of the loopback, in a folder that nobody else uses. */
async function initializeServer(settings: string[]) {
  const folder = mkdtempSync(path.join(os.tmpdir(), "fairlead-test-"));
  chmodSync(folder, 0o755); // the server runs as another user when we are root
  const port = await freePort();
  const all = ["listen_addresses=127.0.0.1", "max_connections=300", "unix_socket_directories=", ...settings];
  const server = new EmbeddedPostgres({
    databaseDir: path.join(folder, "data"),
    user: "fairlead",
    password: "fairlead",
    port,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8", "--locale=C", "--no-sync"],
    postgresFlags: all.flatMap((each) => ["-c", each]),
    onLog() {},
    onError() {},
  });
  await server.initialise();
  // A run that ends without stopping its server must not leave it behind.
  const stopAtExit = () => {
    const pid = serverPid(folder);
    if (pid) process.kill(pid, "SIGQUIT");
  };
  process.on("exit", stopAtExit);
  const remove = () => {
    process.off("exit", stopAtExit);
    rmSync(folder, { recursive: true, force: true });
  };
  return { server, url: `postgresql://fairlead:fairlead@127.0.0.1:${port}/postgres`, folder, remove };
}

async function createTemplate(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`CREATE DATABASE ${templateDatabase}`);
  await client.end();
  await migrate(databaseUrl(url, templateDatabase), migrationsFolder);
}

export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.toString();
}
