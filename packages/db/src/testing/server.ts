import { existsSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { freePort } from "../free-port.ts";
import { migrate } from "../migrate/migrate.ts";
import { createDataFolder } from "./data-folder.ts";
import { EmbeddedPostgres } from "./embedded-postgres.ts";

/** The folder of migrations and views for every test database. */
export const prismaFolder = fileURLToPath(new URL("../../../../prisma", import.meta.url));
export const templateDatabase = "fairlead_template";

/**
 * startTestServer starts a PostgreSQL server for the tests, with one migrated template database that every test file copies.
 * Durability is off: a test that needs it starts its own server.
 */
export async function startTestServer(): Promise<{ url: string; stop: () => Promise<void> }> {
  const { server, url, remove } = await startServer({
    mayBeLost: true,
    settings: ["fsync=off", "full_page_writes=off", "max_wal_size=256MB"],
  });
  const stop = async () => {
    await server.stop();
    remove();
  };
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
  /** Kills the server's processes like a power cut, without a checkpoint; committed data must survive. */
  crash: () => Promise<void>;
  /** Starts it again on the same data and the same port. */
  restart: () => Promise<void>;
  stop: () => Promise<void>;
};

/** startDurableServer starts a migrated PostgreSQL with durability for one test, which may crash it. */
export async function startDurableServer(): Promise<DurableServer> {
  const { server, url, folder, remove } = await startServer({ mayBeLost: false, settings: [] });
  await migrate(url, prismaFolder);
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
    await sleep(20);
  }
  throw new Error(`PostgreSQL (${pid}) did not stop within 10 s`);
}

/** startServer starts a server on a free port of the loopback, in its own folder. */
async function startServer({ mayBeLost, settings }: { mayBeLost: boolean; settings: string[] }) {
  const folder = createDataFolder({ mayBeLost });
  let log = "";
  const note = (message: unknown) => {
    log = `${log}${message}`.slice(-2_000);
  };
  const all = ["listen_addresses=127.0.0.1", "max_connections=500", "unix_socket_directories=", ...settings];
  const serverAt = (port: number) =>
    new EmbeddedPostgres({
      databaseDir: path.join(folder, "data"),
      user: "fairlead",
      password: "fairlead",
      port,
      persistent: false,
      createPostgresUser: process.getuid?.() === 0,
      initdbFlags: ["--encoding=UTF8", "--locale=C", "--no-sync"],
      postgresFlags: all.flatMap((each) => ["-c", each]),
      onLog: note,
      onError: note,
    });
  // A run that ends without stopping its server must leave neither the server nor its data behind.
  const stopAtExit = () => {
    const pid = serverPid(folder);
    if (pid) process.kill(pid, "SIGQUIT");
    if (mayBeLost) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  process.on("exit", stopAtExit);
  const remove = () => {
    process.off("exit", stopAtExit);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await serverAt(0).initialise();
    const { server, port } = await startOnFreePort(serverAt, () => log);
    return { server, url: `postgresql://fairlead:fairlead@127.0.0.1:${port}/postgres`, folder, remove };
  } catch (error) {
    remove();
    throw new Error(`PostgreSQL for tests did not start:\n${log.trim()}`, { cause: error });
  }
}

/** Another program may take a free port before PostgreSQL does: then the next one is tried. */
async function startOnFreePort(serverAt: (port: number) => InstanceType<typeof EmbeddedPostgres>, log: () => string) {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    const server = serverAt(port);
    try {
      await server.start();
      return { server, port };
    } catch (error) {
      if (attempt === 3 || !log().includes("Address already in use")) throw error;
    }
  }
}

async function createTemplate(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`CREATE DATABASE ${templateDatabase}`);
  await client.end();
  await migrate(databaseUrl(url, templateDatabase), prismaFolder);
}

export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.toString();
}
