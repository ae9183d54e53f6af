import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

/** findEmbedded returns the URL of the embedded PostgreSQL that runs on a data folder, for tools that run beside it. */
export function findEmbedded(dataFolder: string): string | null {
  const passwordFile = path.join(dataFolder, "postgres-password");
  const instanceFile = path.join(dataFolder, "instance.json");
  if (!existsSync(passwordFile) || !existsSync(instanceFile)) return null;
  const { databasePort } = JSON.parse(readFileSync(instanceFile, "utf8")) as { databasePort?: number };
  if (!databasePort) return null;
  return `postgresql://fairlead:${readFileSync(passwordFile, "utf8").trim()}@127.0.0.1:${databasePort}/fairlead`;
}
