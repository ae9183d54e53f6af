import { inTransaction } from "@fairlead/db";
import { podOf, podTicketNames } from "@fairlead/domain/load-balancer";
import type { ExposureDriver, PodTickets } from "@fairlead/drivers";
import { openTicketSecret, type SecretBox, ticketName } from "@fairlead/services";
import type { ReconcileContext } from "../../../reconciler.ts";
import { lockExposure } from "../intent.sql.ts";
import {
  findPodTicketSecret,
  findWantedSecret,
  type StoredSecret,
  type WantedSecret,
} from "./pod-ticket-secret.sql.ts";
import { recordSecret, type Written } from "./record-secret.ts";

/** How often to try again what a cluster refuses, or can't do at the moment. */
const againAfterMs = 30_000;

/**
 * setPodTickets writes the managed ticket keys of an exposure, as they were committed, into the Secret that its pods mount. It
 * returns when to try again, or null.
 */
export async function setPodTickets(
  id: string,
  ctx: ReconcileContext,
  { driver, box }: { driver: ExposureDriver | null; box: SecretBox },
): Promise<number | null> {
  const wanted = await findWantedSecret(ctx.db, id);
  if (!wanted || !driver?.tickets) return null;
  const stored = await noteSecret(id, wanted, ctx);
  if (!stored) return null;
  const written = await attempt(ctx, async () => {
    const changes = await driver.tickets?.set(toTickets(id, wanted, box), ctx.signal);
    return (changes ?? []).length > 0;
  });
  await recordSecret(id, wanted, { stored, written }, ctx);
  return written.problem === "" ? null : againAfterMs;
}

/**
 * removePodTickets removes the Secret of an exposure that is deleted, or whose pods don't read their keys there any more. It
 * returns why it couldn't, in a sentence; empty if there is none.
 */
export async function removePodTickets(
  id: string,
  ctx: ReconcileContext,
  driver: ExposureDriver | null,
): Promise<string> {
  // A cluster that isn't attached can't be reached: an exposure must not wait for it.
  const stored = driver?.tickets ? await findPodTicketSecret(ctx.db, id) : null;
  if (!stored) return "";
  const wanted = await findWantedSecret(ctx.db, id);
  if (wanted && isSame(stored, wanted)) return "";
  const { namespace, name } = stored;
  const { problem } = await attempt(ctx, async () => {
    await driver?.tickets?.remove({ exposureId: id, namespace, name }, ctx.signal);
    return true;
  });
  if (problem !== "") return problem;
  await inTransaction(ctx.db, (tx) => tx.podTicketSecret.deleteMany({ where: { exposureId: id, namespace, name } }));
  return "";
}

/** noteSecret stores the Secret before it is created. It returns null while a former one isn't removed, or the spec is another now. */
async function noteSecret(id: string, wanted: WantedSecret, ctx: ReconcileContext): Promise<StoredSecret | null> {
  const stored = await findPodTicketSecret(ctx.db, id);
  if (stored) return isSame(stored, wanted) ? stored : null;
  const { namespace, spec } = wanted;
  return inTransaction(ctx.db, async (tx) => {
    if (!(await lockExposure(tx, id, ctx))) return null;
    const data = { exposureId: id, namespace, name: spec.secret };
    const { exposureId: _, ...created } = await tx.podTicketSecret.create({ data });
    return created;
  });
}

function isSame(stored: StoredSecret, { namespace, spec }: WantedSecret): boolean {
  return stored.namespace === namespace && stored.name === spec.secret;
}

async function attempt(ctx: ReconcileContext, work: () => Promise<boolean>): Promise<Written> {
  try {
    return { hasChanged: await work(), problem: "" };
  } catch (error) {
    if (ctx.signal.aborted) throw error;
    const why = error instanceof Error ? error.message : String(error);
    return { hasChanged: false, problem: `${why.charAt(0).toUpperCase()}${why.slice(1).replace(/\.$/, "")}.` };
  }
}

function toTickets(id: string, wanted: WantedSecret, box: SecretBox): PodTickets {
  const { namespace, spec, servers } = wanted;
  const secrets = new Map(
    wanted.epochs.map((epoch) => [epoch, openTicketSecret(box, wanted.secrets[epoch] ?? "")] as const),
  );
  const names = podTicketNames(wanted, spec.software);
  const pods = servers.map((server) => ({
    pod: podOf(server),
    keys: names.flatMap(({ epoch, isMark }) => {
      const secret = secrets.get(epoch);
      return secret ? [{ name: ticketName(secret, server, { isMark }), secret }] : [];
    }),
  }));
  return { exposureId: id, namespace, name: spec.secret, software: spec.software, folder: spec.folder, pods };
}
