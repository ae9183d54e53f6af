import { bringUpToDate } from "./bring-up-to-date.ts";
import { checkExternal } from "./external-postgres.ts";
import { Refusal } from "./refusal.ts";
import { readSettings } from "./settings.ts";

// Brings the database of DATABASE_URL up to date and ends: what a deployment runs before its web and controller.
try {
  const { databaseUrl } = readSettings();
  if (!databaseUrl) throw new Refusal("Set DATABASE_URL to the database that shall be brought up to date.");
  await checkExternal(databaseUrl);
  const applied = await bringUpToDate(databaseUrl);
  console.log(applied.length > 0 ? `Applied ${applied.join(", ")}.` : "The database is up to date.");
} catch (error) {
  console.error(error instanceof Refusal ? error.message : error);
  process.exit(1);
}
