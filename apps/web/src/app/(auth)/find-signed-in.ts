import "server-only";
import { DomainError } from "@fairlead/domain";
import { headers } from "next/headers";
import { auth } from "@/server/auth.ts";
import { authenticate } from "@/server/authenticate.ts";
import { db } from "@/server/db.ts";

export type SignedIn = { userId: string; name: string; email: string };

/** findSignedIn returns the signed-in user on a page that is for signed-out users. */
export async function findSignedIn(): Promise<SignedIn | null> {
  const cookieOnly = new Headers({ cookie: (await headers()).get("cookie") ?? "" });
  try {
    const { actor } = await authenticate({ auth: auth(), db: db() }, cookieOnly, new Date());
    const user = await db().user.findUniqueOrThrow({ where: { id: actor.id }, select: { name: true, email: true } });
    return { userId: actor.id, ...user };
  } catch (error) {
    if (error instanceof DomainError && error.code === "unauthenticated") return null;
    throw error;
  }
}
