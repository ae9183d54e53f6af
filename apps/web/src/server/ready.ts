import { isMigrated, pingDatabase } from "@fairlead/services";
import { db } from "./db.ts";

const patienceMs = 3_000;
let wasMigrated = false;

/** findTrouble returns why this process can't serve yet, or null. A schema is checked until it is right once. */
export async function findTrouble(): Promise<string | null> {
  try {
    const migrated = await within(patienceMs, wasMigrated ? pingDatabase(db()) : isMigrated(db()));
    if (!migrated) return "The database is not migrated to this version yet.";
    wasMigrated = true;
    return null;
  } catch {
    return "The database can't be reached.";
  }
}

function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("took too long")), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
