import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { databaseGraceMs } from "../postgres/postgres.ts";
import { end, identify, isAlive, type ProcessIdentity } from "../process/process-identity.ts";
import { Refusal } from "../refusal.ts";
import { makePrivate } from "./private-folder.ts";

export type Child = { name: string; process: ProcessIdentity };
type Record = { launcher: ProcessIdentity; url: string; children: Child[]; databasePort?: number };

/** Instance is the claim on a data folder and the record of its running programs, so that the next start can clean up after a crash. */
export type Instance = { update: (change: { children?: Child[]; databasePort?: number }) => void; release: () => void };

/**
 * claimInstance makes this process the only launcher on a data folder. It fails if the recorded launcher is alive. If it is
 * dead, the record is taken over, and programs that it left running are ended first.
 */
export async function claimInstance(dataFolder: string, url: string): Promise<Instance> {
  makeFolder(dataFolder);
  const file = path.join(dataFolder, "instance.json");
  const launcher = identify(process.pid);
  if (!launcher) throw new Error("this process can't be identified");
  let record: Record = { launcher, url, children: [] };
  const mine = `${file}.${process.pid}`;

  for (let attempt = 0; attempt < 10; attempt++) {
    writeFileSync(mine, JSON.stringify(record), { mode: 0o600 });
    if (tryLink(mine, file)) {
      rmSync(mine);
      return {
        update(change) {
          record = { ...record, ...change };
          writeFileSync(mine, JSON.stringify(record), { mode: 0o600 });
          renameSync(mine, file);
        },
        release: () => rmSync(file, { force: true }),
      };
    }
    await takeOver(file);
  }
  throw new Refusal(
    `The data folder ${dataFolder} is being claimed by several starts at once. Wait for one of them, then try again.`,
  );
}

async function takeOver(file: string): Promise<void> {
  const record = read(file);
  if (record && isAlive(record.launcher)) {
    throw new Refusal(
      `Fairlead already runs on ${path.dirname(file)} (process ${record.launcher.pid}, ${record.url}). Use that one, stop it, or choose another folder with FAIRLEAD_DATA.`,
    );
  }
  // In reverse order: the controller must still reach the database while it stops.
  for (const child of (record?.children ?? []).toReversed()) {
    if (!isAlive(child.process)) continue;
    console.log(`• Ending the ${child.name} that a crashed start left behind (process ${child.process.pid})`);
    if (child.name === "database") await end(child.process, databaseGraceMs, "SIGINT");
    else await end(child.process, 10_000);
  }
  removeRecord(file, record);
}

/** Removes the dead record, and only that: another start may have replaced it meanwhile. */
function removeRecord(file: string, dead: Record | null): void {
  const aside = `${file}.dead-${process.pid}`;
  try {
    renameSync(file, aside);
  } catch {
    return; // another start was faster
  }
  if (JSON.stringify(read(aside)) !== JSON.stringify(dead)) tryLink(aside, file);
  rmSync(aside, { force: true });
}

function read(file: string): Record | null {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Record;
  } catch {
    return null;
  }
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

function makeFolder(folder: string): void {
  try {
    makePrivate(folder);
    const probe = path.join(folder, `.write-${process.pid}`);
    writeFileSync(probe, "");
    rmSync(probe);
  } catch (error) {
    const why = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new Refusal(
      `The data folder ${folder} can't be written (${why}). Fix its permissions, or choose another with FAIRLEAD_DATA=/some/folder npm start`,
    );
  }
}
