import { checkExternal } from "./postgres/external-postgres.ts";
import { migrateDatabase } from "./postgres/migrate-database.ts";
import { Refusal } from "./refusal.ts";
import { readSettings } from "./settings.ts";

// Migrates the database in DATABASE_URL and exits. A deployment runs this before web and controller.
try {
  const { databaseUrl } = readSettings();
  if (!databaseUrl) throw new Refusal("Set DATABASE_URL to the database to migrate.");
  await checkExternal(databaseUrl);
  const { migrations, views } = await migrateDatabase(databaseUrl);
  if (migrations.length > 0) console.log(`Applied ${migrations.join(", ")}.`);
  if (views.length > 0) console.log(`Created ${views.length} views.`);
  if (migrations.length + views.length === 0) console.log("The database is up to date.");
} catch (error) {
  console.error(error instanceof Refusal ? error.message : error);
  process.exit(1);
}
