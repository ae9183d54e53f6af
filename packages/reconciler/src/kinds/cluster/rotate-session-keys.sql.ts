import { randomBytes } from "node:crypto";
import { type Db, inTransaction } from "@fairlead/db";
import { isSessionKeyDue, sessionKeyBytes } from "@fairlead/domain/load-balancer";
import type { SecretBox } from "@fairlead/services";
import { holdLease } from "../../lease.sql.ts";
import type { ClaimedTask } from "../../task.ts";

/**
 * rotateSessionKeys creates a cluster's first key, or the next one if the newest is due. The key before it stays valid,
 * because agents don't change at the same moment. Of several controllers, one creates it: they lock the cluster.
 */
export async function rotateSessionKeys(
  db: Db,
  clusterId: string,
  { task, box, now }: { task: ClaimedTask; box: Pick<SecretBox, "seal">; now: Date },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const locked = await tx.$queryRaw<object[]>`SELECT 1 FROM cluster WHERE id = ${clusterId} FOR NO KEY UPDATE`;
    await holdLease(tx, task);
    const isUsed = await tx.exposure.findFirst({
      where: { clusterId, strategy: { in: ["session", "adaptive"] } },
      select: { id: true },
    });
    if (locked.length === 0 || !isUsed) return;
    const newest = await tx.sessionKey.findFirst({ where: { clusterId }, orderBy: { epoch: "desc" } });
    if (!isSessionKeyDue(newest, now)) return;
    const epoch = (newest?.epoch ?? 0) + 1;
    const sealed = box.seal(randomBytes(sessionKeyBytes).toString("base64"));
    await tx.sessionKey.create({ data: { clusterId, epoch, sealed, createdAt: now } });
    await tx.sessionKey.deleteMany({ where: { clusterId, epoch: { lt: epoch - 1 } } });
  });
}
