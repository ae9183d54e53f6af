import { type Db, inTransaction, type Tx } from "@fairlead/db";
import { conflict, invalid, newId } from "@fairlead/domain";
import { type FirstOwner, firstOwner } from "@fairlead/domain/access";
import { joinOrganization } from "../invitation/join.ts";
import { createPasswordUser, hashPassword } from "../password-user.ts";
import { lockSetUp } from "./lock-set-up.sql.ts";

/** isSetUp reports whether there is any user who can sign in. */
export async function isSetUp(db: Db): Promise<boolean> {
  return (await db.user.findFirst({ select: { id: true } })) !== null;
}

/** createFirstOwner gives an empty installation its owner. Once there is any user, it refuses. */
export async function createFirstOwner(db: Db, input: FirstOwner, now: Date): Promise<void> {
  if (!(await tryFirstOwner(db, input, now))) throw conflict("Fairlead is set up already; sign in instead.");
}

/**
 * ensureFirstOwner is for unattended set-ups: it returns whether it created the owner, and leaves an existing one
 * alone.
 */
export async function ensureFirstOwner(given: {
  db: Db;
  email: string;
  password: string;
  name: string;
  now?: Date;
}): Promise<boolean> {
  const { db, now = new Date(), ...rest } = given;
  // Before the input is checked: settings of a former start may be out of date.
  if (await isSetUp(db)) return false;
  const parsed = firstOwner.safeParse(rest);
  if (!parsed.success) throw unusable(parsed.error.issues);
  return tryFirstOwner(db, parsed.data, now);
}

function unusable([issue]: { path: PropertyKey[]; message: string }[]): Error {
  const field = String(issue?.path[0] ?? "");
  return invalid([field], `The first owner's ${field}: ${issue?.message ?? "not usable"}.`);
}

async function tryFirstOwner(db: Db, input: FirstOwner, now: Date): Promise<boolean> {
  // Hashing costs much time and memory, and anyone may send a set-up. The check that decides is below, under the lock.
  if (await isSetUp(db)) return false;
  const passwordHash = await hashPassword(input.password);
  return inTransaction(db, async (tx) => {
    await lockSetUp(tx);
    if (await tx.user.findFirst({ select: { id: true } })) return false;
    const organizationId = await firstOrganization(tx, now);
    const user = await createPasswordUser(tx, { name: input.name, email: input.email, passwordHash }, now);
    await joinOrganization(tx, { organizationId, role: "owner" }, { ...user, email: input.email }, now);
    return true;
  });
}

/** A database filled with sample data has an organisation before it has a user. */
async function firstOrganization(tx: Tx, now: Date): Promise<string> {
  const existing = await tx.organization.findFirst({ orderBy: { createdAt: "asc" } });
  if (existing) return existing.id;
  const id = newId("organization", now);
  await tx.organization.create({ data: { id, name: "Main", slug: "main", createdAt: now } });
  return id;
}
