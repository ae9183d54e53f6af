import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

/** SchemaFolder is a temporary folder of migrations and views for tests of the migrator. */
export type SchemaFolder = {
  path: string;
  writeMigration: (name: string, sql: string) => void;
  writeView: (name: string, sql: string) => void;
  removeView: (name: string) => void;
  remove: () => void;
};

export function createSchemaFolder(): SchemaFolder {
  const folder = mkdtempSync(path.join(os.tmpdir(), "fairlead-schema-"));
  const viewFile = (name: string) => path.join(folder, "views", `${name}.sql`);
  mkdirSync(path.join(folder, "migrations"));
  mkdirSync(path.join(folder, "views"));
  return {
    path: folder,
    writeMigration(name, sql) {
      mkdirSync(path.join(folder, "migrations", name), { recursive: true });
      writeFileSync(path.join(folder, "migrations", name, "migration.sql"), sql);
    },
    writeView: (name, sql) => writeFileSync(viewFile(name), sql),
    removeView: (name) => rmSync(viewFile(name)),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
