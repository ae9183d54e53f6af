import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chownSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { freePort } from "@fairlead/db/free-port";
import { logSize } from "../process/log-file.ts";
import type { Program } from "../process/supervisor.ts";
import { Refusal } from "../refusal.ts";
import { readOrCreateSecret, readSecret } from "../secret-file.ts";
import { fatalReason } from "./fatal-reason.ts";
import { type ServerUser, serverPrograms, serverUser } from "./postgres-programs.ts";

const major = 18;
/** A checkpoint of full buffers may take this long on a slow disk. */
export const databaseGraceMs = 60_000;
const serverEnv = { PATH: process.env.PATH ?? "", LC_ALL: "C" };

export type Embedded = {
  program: Program;
  port: number;
  url: string;
  cluster: string;
  passwordFile: string;
  /** Size of the log before this start. */
  logBefore: number;
};

/** prepareEmbedded sets up the embedded PostgreSQL: its data, its password, and its port on loopback. */
export async function prepareEmbedded(dataFolder: string, logFile: string): Promise<Embedded> {
  const user = serverUser();
  const bin = await serverPrograms(dataFolder, user);
  const cluster = path.join(dataFolder, `postgres-${major}`);
  const passwordFile = path.join(dataFolder, "postgres-password");
  const isSetUp = existsSync(path.join(cluster, "PG_VERSION"));
  if (isSetUp && !readSecret(passwordFile))
    throw new Refusal(
      `The password of PostgreSQL's data in ${cluster} is missing. Restore the file ${passwordFile}, or write a new password into it and start again.`,
    );
  const password = readOrCreateSecret(passwordFile, () => randomBytes(24).toString("base64url"));
  if (!isSetUp) await initialise(bin, cluster, password, user);

  const port = await freePort();
  const flags = {
    listen_addresses: "127.0.0.1",
    port: String(port),
    unix_socket_directories: "",
    max_connections: "200",
    shared_buffers: "256MB",
    wal_compression: "on",
    jit: "off",
    // Samples are written continuously: fewer, larger checkpoints write each page less often.
    max_wal_size: "2GB",
    checkpoint_timeout: "15min",
    log_min_messages: "warning",
  };
  const args = ["-D", cluster, ...Object.entries(flags).flatMap(([key, value]) => ["-c", `${key}=${value}`])];
  const program: Program = {
    name: "database",
    command: path.join(bin, "postgres"),
    args,
    env: serverEnv,
    cwd: dataFolder,
    logFile,
    user,
    // Its own session: Ctrl-C must not reach it before the programs that write to it have stopped.
    detached: true,
    // PostgreSQL's fast shutdown: it closes connections, writes everything to disk and exits.
    stopSignal: "SIGINT",
    graceMs: databaseGraceMs,
    whySlow:
      "The database is writing its memory to disk. Press Ctrl-C again to skip this; the next start then takes longer.",
    // PostgreSQL's immediate shutdown: no checkpoint, but all of its processes end.
    forceSignal: "SIGQUIT",
  };
  const url = `postgresql://fairlead:${password}@127.0.0.1:${port}/fairlead`;
  return { program, port, url, cluster, passwordFile, logBefore: logSize(logFile) };
}

/** initialise creates the cluster in a temporary folder and renames it when complete, so that an interrupted start leaves nothing half done. */
async function initialise(bin: string, cluster: string, password: string, user: ServerUser): Promise<void> {
  const building = `${cluster}.building`;
  rmSync(building, { recursive: true, force: true });
  mkdirSync(building, { mode: 0o700 });
  const passwordFile = path.join(path.dirname(cluster), ".postgres-password");
  writeFileSync(passwordFile, password, { mode: 0o600 });
  for (const each of [building, passwordFile]) {
    if (user.uid !== undefined) chownSync(each, user.uid, user.gid ?? user.uid);
  }
  const args = [
    "-D",
    building,
    "-U",
    "fairlead",
    "--pwfile",
    passwordFile,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    "--locale=C",
  ];
  try {
    await initdb(path.join(bin, "initdb"), args, user, path.dirname(cluster));
  } finally {
    rmSync(passwordFile, { force: true });
  }
  renameSync(building, cluster);
}

function initdb(program: string, args: string[], user: ServerUser, cwd: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...user, cwd, stdio: ["ignore", "pipe", "pipe"], env: serverEnv });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        output += chunk.toString();
      });
    }
    child.once("error", reject);
    child.once("close", (code) => {
      if (code === 0) resolve();
      else reject(new Refusal(`PostgreSQL failed to initialise its data: ${fatalReason(output)}`));
    });
  });
}
