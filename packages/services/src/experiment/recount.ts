import type { Tx } from "@fairlead/db";
import type { Experiment } from "@fairlead/domain/experiment";
import { appendFeed } from "../control/append-feed.sql.ts";
import { countBroken } from "./count-broken.sql.ts";

/** How often broken connections are counted while it runs. */
const everyMs = 5_000;
/** By then the clients' data has arrived; later data is counted when the experiment has ended. */
const arrivesWithinMs = 5_000;
/** The last reports of clients are from a moment soon after the end. */
export const lastWordMs = 15_000;

type Counted = Pick<Experiment, "id" | "clusterId" | "startedAt" | "endedAt" | "brokenConnections"> & {
  organizationId: string;
};

/** recountBroken adds what broke since the last time. After the end everything is recalculated, including late data. */
export async function recountBroken(tx: Tx, experiment: Counted, now: Date): Promise<void> {
  const { id, clusterId, organizationId, startedAt, endedAt, brokenConnections } = experiment;
  if (endedAt) {
    const broken = await countBroken(tx, clusterId, startedAt, new Date(endedAt.getTime() + lastWordMs));
    await tx.experiment.update({ where: { id }, data: { brokenConnections: broken } });
    if (broken !== brokenConnections) await notify(tx, organizationId, id, clusterId);
    return;
  }
  const { brokenCountedAt } = await tx.experiment.findUniqueOrThrow({
    where: { id },
    select: { brokenCountedAt: true },
  });
  const after = brokenCountedAt ?? startedAt;
  const until = new Date(now.getTime() - arrivesWithinMs);
  if (until.getTime() - after.getTime() < everyMs) return;
  const more = await countBroken(tx, clusterId, after, until);
  const broken = more === null ? brokenConnections : (brokenConnections ?? 0) + more;
  await tx.experiment.update({ where: { id }, data: { brokenConnections: broken, brokenCountedAt: until } });
  if (broken !== brokenConnections) await notify(tx, organizationId, id, clusterId);
}

const notify = (tx: Tx, organizationId: string, subjectId: string, clusterId: string) =>
  appendFeed(tx, organizationId, [{ subjectKind: "experiment", subjectId, clusterId }]);
