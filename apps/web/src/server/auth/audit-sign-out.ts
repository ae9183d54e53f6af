import type { Db } from "@fairlead/db";
import { recordSignOut } from "@fairlead/services";
import { log } from "../log.ts";
import { clientAddressIn } from "../stamp-client-address.ts";

type EndedSession = { userId: string; boundOrganizationId?: unknown };
type Request = { path?: string | undefined; headers?: Headers | undefined } | null;

/** auditSignOut records in the audit that a user signed out. better-auth deletes sessions on other paths once they expired. */
export async function auditSignOut(db: Db, session: EndedSession, request: Request): Promise<void> {
  if (request?.path !== "/sign-out") return;
  const { userId, boundOrganizationId: bound } = session;
  const address = request.headers ? clientAddressIn(request.headers) : null;
  const boundOrganizationId = typeof bound === "string" ? bound : null;
  try {
    await recordSignOut(db, { userId, boundOrganizationId }, { address, now: new Date() });
  } catch (err) {
    // The session is gone, and the browser must still get the answer that clears its cookie.
    log.error("fault", { operation: "audit of sign-outs", err });
  }
}
