import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { migrate } from "@fairlead/db";
import { databaseUrl, EmbeddedPostgres, prismaFolder } from "@fairlead/db/testing";

export type BenchServer = { url: string; pid: number; folder: string; stop: () => Promise<void> };

/** startBenchServer starts a PostgreSQL as `npm start` does, with durability, for one benchmark. */
export async function startBenchServer(port: number): Promise<BenchServer> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "fairlead-bench-"));
  chmodSync(folder, 0o755); // the server runs as another user if this process is root
  const server = new EmbeddedPostgres({
    databaseDir: path.join(folder, "data"),
    user: "fairlead",
    password: "fairlead",
    port,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8", "--locale=C"],
    postgresFlags: Object.entries({
      listen_addresses: "127.0.0.1",
      unix_socket_directories: "",
      max_connections: "200",
      shared_buffers: "256MB",
      wal_compression: "on",
    }).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
    onLog() {},
    onError() {},
  });
  await server.initialise();
  await server.start();
  const url = databaseUrl(`postgresql://fairlead:fairlead@127.0.0.1:${port}/`, "postgres");
  await migrate(url, prismaFolder);
  return {
    url,
    folder,
    pid: Number(readFileSync(path.join(folder, "data/postmaster.pid"), "utf8").split("\n")[0]),
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
