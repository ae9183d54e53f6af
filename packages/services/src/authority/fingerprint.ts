import { createHash } from "node:crypto";
import type { Tx } from "@fairlead/db";
import { DomainError } from "@fairlead/domain";

/** The one row of certificate_authority. */
export const authorityId = "agents";

/**
 * authorityFingerprint is the part of an enrolment token by which a new machine recognises the control plane: the
 * sha256 (hex) of the CA certificate's DER. Needs no key; every controller creates the CA when it starts.
 */
export async function authorityFingerprint(tx: Tx): Promise<string> {
  const row = await tx.certificateAuthority.findUnique({
    where: { id: authorityId },
    select: { certificate: true },
  });
  if (!row)
    throw new DomainError(
      "unavailable",
      "The control plane has no certificate authority yet; it is created when the controller first starts. Start it and try again.",
      { retryAfterSeconds: 5 },
    );
  return fingerprintOf(row.certificate);
}

export function fingerprintOf(der: Uint8Array): string {
  return createHash("sha256").update(der).digest("hex");
}
