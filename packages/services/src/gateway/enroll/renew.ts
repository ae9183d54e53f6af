import { type Db, inTransaction } from "@fairlead/db";
import { type Authority, readCertificateRequest, signAgentCertificate } from "../../authority/index.ts";
import { notifyAgents } from "../config/notify-agents.sql.ts";
import { admit, loadIdentities, lockAgent, type Presented } from "../identity/identities.sql.ts";

export type Renewal = { certificate: Buffer; authority: Buffer };

/**
 * renewAgent gives an agent a fresh certificate. The one it called with stays valid until it expires: if the answer is
 * lost, the agent simply requests again with it.
 */
export async function renewAgent(
  db: Db,
  authority: Authority,
  input: Presented & { agentId: string; certificateRequest: Uint8Array },
  now: Date,
): Promise<Renewal> {
  const key = await readCertificateRequest(input.certificateRequest);
  return inTransaction(db, async (tx) => {
    await lockAgent(tx, input.agentId);
    const [identity] = await loadIdentities(tx, [input.agentId]);
    admit(identity, input);
    const signed = await signAgentCertificate(authority, key, input.agentId, now);
    await tx.agent.update({
      where: { id: input.agentId },
      data: {
        certificateSerial: signed.serial,
        certificateExpiresAt: signed.expiresAt,
        previousSerial: input.serial,
        keyDigest: key.digest,
      },
    });
    await notifyAgents(tx, [input.agentId]);
    return { certificate: signed.der, authority: authority.der };
  });
}
