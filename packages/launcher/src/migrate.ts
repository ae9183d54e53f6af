import path from "node:path";
import { migrate } from "@fairlead/db";
import { checkExternal } from "./external-postgres.ts";
import { Refusal } from "./refusal.ts";
import { readSettings, root } from "./settings.ts";

// Brings the database of DATABASE_URL up to date and ends: what a deployment runs before its web and controller.
try {
  const { databaseUrl } = readSettings();
  if (!databaseUrl) throw new Refusal("Set DATABASE_URL to the database that shall be brought up to date.");
  await checkExternal(databaseUrl);
  const applied = await migrate(databaseUrl, path.join(root, "prisma/migrations"));
  console.log(applied.length > 0 ? `Applied ${applied.join(", ")}.` : "The database is up to date.");
} catch (error) {
  console.error(error instanceof Refusal ? error.message : error);
  process.exit(1);
}
