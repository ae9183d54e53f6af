import type { Tx } from "@fairlead/db";
import type { TicketMember, TicketRotation, UsedTickets } from "@fairlead/domain/load-balancer";

/** StoredRotation is a rotation with the secrets of its epochs, sealed. */
export type StoredRotation = {
  rotation: TicketRotation;
  secrets: ReadonlyMap<number, string>;
  requestedAt: Date | null;
};

/**
 * As JSON has it: dates are text, and a server has the name of its own key, which the API shows. A controller of an
 * earlier version writes no outdatedSince.
 */
type StoredMember = Omit<TicketMember, "outdatedSince"> & { outdatedSince?: string | null; name: string };

export async function findTicketRotation(tx: Tx, exposureId: string): Promise<StoredRotation | null> {
  const row = await tx.ticketRotation.findUnique({
    where: { exposureId },
    include: { secrets: { select: { epoch: true, sealed: true } } },
  });
  if (!row) return null;
  const { secrets, requestedAt, exposureId: _, members, away, phase, ...rest } = row;
  const rotation: TicketRotation = {
    ...rest,
    // The column has only these: see its constraint.
    phase: phase as TicketRotation["phase"],
    // The columns hold what saveTicketRotation wrote.
    members: (members as StoredMember[]).map(({ name: _, outdatedSince, ...member }) => {
      return { ...member, outdatedSince: outdatedSince ? new Date(outdatedSince) : null };
    }),
    away: away as TicketRotation["away"][number][],
  };
  return { rotation, requestedAt, secrets: new Map(secrets.map((each) => [each.epoch, each.sealed])) };
}

/** saveTicketRotation stores a rotation with the secrets of its epochs, and deletes those of dropped ones. */
export async function saveTicketRotation(
  tx: Tx,
  exposureId: string,
  { rotation, secrets, requestedAt }: StoredRotation,
  { nameOf, now }: { nameOf: (server: string) => string; now: Date },
): Promise<void> {
  const { members, away, epochs, ...rest } = rotation;
  const stored = members.map(({ outdatedSince, ...member }): StoredMember => {
    const name = member.kind === "server" ? nameOf(member.id) : "";
    return { ...member, outdatedSince: outdatedSince?.toISOString() ?? null, name };
  });
  const data = { ...rest, epochs: [...epochs], members: stored, away: [...away], requestedAt };
  await tx.ticketRotation.upsert({ where: { exposureId }, create: { ...data, exposureId }, update: data });
  await tx.ticketSecret.createMany({
    data: [...secrets].map(([epoch, sealed]) => ({ exposureId, epoch, sealed, createdAt: now })),
    skipDuplicates: true,
  });
  await tx.ticketSecret.deleteMany({ where: { exposureId, epoch: { notIn: [...epochs] } } });
}

/** dropTicketRotation deletes a rotation with its secrets, and stores which revision and epoch it had last. */
export async function dropTicketRotation(tx: Tx, exposureId: string): Promise<void> {
  await tx.$executeRaw`
    WITH dropped AS (DELETE FROM ticket_rotation WHERE exposure_id = ${exposureId} RETURNING exposure_id, revision, epochs)
    INSERT INTO exposure_session AS kept (exposure_id, ticket_revision, ticket_epoch)
    SELECT exposure_id, revision, (SELECT max(epoch) FROM unnest(epochs) epoch) FROM dropped
    ON CONFLICT (exposure_id) DO UPDATE SET ticket_revision = greatest(kept.ticket_revision, excluded.ticket_revision),
      ticket_epoch = greatest(kept.ticket_epoch, excluded.ticket_epoch)`;
}

export async function findUsedTickets(tx: Tx, exposureId: string): Promise<UsedTickets> {
  const row = await tx.exposureSession.findUnique({ where: { exposureId } });
  return { revision: row?.ticketRevision ?? 0, epoch: row?.ticketEpoch ?? 0 };
}
