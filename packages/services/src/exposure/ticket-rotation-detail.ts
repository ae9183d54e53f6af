import type { Tx } from "@fairlead/db";
import {
  describeTicketKeys,
  findPathProblem,
  type SessionStrategy,
  type TicketKeys,
  type TicketRotationDetail,
} from "@fairlead/domain/exposure";
import type { TicketPhase } from "@fairlead/domain/load-balancer";
import type { TicketKeyState } from "./session.sql.ts";

export type LoadedRotation = {
  detail: TicketRotationDetail | null;
  /** Of servers, by their instances. */
  keys: ReadonlyMap<string, TicketKeyState>;
  /** Since when replicas lack the newest names, by their ids. */
  lags: ReadonlyMap<string, Date>;
};

/** What the reconciler stores of a member. */
type StoredMember = { kind: string; id: string; revision: number; outdatedSince: string | null; name: string };

/** loadTicketRotation returns the rotation of an exposure's managed ticket keys, without their secrets. */
export async function loadTicketRotation(
  tx: Tx,
  exposureId: string,
  { names, ticketKeys }: SessionStrategy,
): Promise<LoadedRotation> {
  const row = await tx.ticketRotation.findUnique({
    where: { exposureId },
    include: { secrets: { select: { epoch: true, createdAt: true } } },
  });
  if (!row || names !== "managed" || !ticketKeys) return { detail: null, keys: new Map(), lags: new Map() };
  const secret = ticketKeys.secret
    ? await tx.podTicketSecret.findUnique({ where: { exposureId }, select: { problem: true } })
    : null;
  const problem = secret?.problem ?? "";
  const [epoch = 0, otherEpoch = null] = row.epochs;
  const { revision, since, requestedAt } = row;
  const phase = row.phase as TicketPhase; // by its constraint
  const members = row.members as StoredMember[]; // written by the reconciler
  const lagging = members.filter(
    ({ outdatedSince, kind }) => outdatedSince !== null && (phase !== "switching" || kind === "server"),
  );
  const servers = lagging.filter((each) => each.kind === "server").map((each) => each.id);
  const waiting = { servers, serverCount: servers.length, replicaCount: lagging.length - servers.length };
  const createdAt = row.secrets.find((each) => each.epoch === epoch)?.createdAt ?? since;
  return {
    detail: {
      message: problem === "" ? describeTicketKeys(phase, waiting) : problem,
      ...{ phase, epoch, otherEpoch, revision, since, isRequested: requestedAt !== null },
      nextAt: nextOf({ phase, since, dropAt: row.dropAt, isLagging: lagging.length > 0 }, ticketKeys.rotateHours),
    },
    keys: new Map(
      members
        .filter((each) => each.kind === "server")
        .map(({ id, name, revision: acknowledged, outdatedSince }) => {
          const isNewest = (reported: number) => reported === revision;
          const hindrance = ticketKeys.secret ? problem || whyNotRead(ticketKeys) : findPathProblem(ticketKeys, id);
          const state = { name, createdAt, revision: acknowledged, isNewest, hindrance };
          return [id, { ...state, outdatedSince: toDate(outdatedSince) }];
        }),
    ),
    lags: new Map(
      members.flatMap(({ kind, id, outdatedSince }) =>
        kind === "replica" && outdatedSince !== null ? [[id, new Date(outdatedSince)] as const] : [],
      ),
    ),
  };
}

function whyNotRead({ secret = "", folder }: TicketKeys): string {
  return `Its tickets don't start with the name of its newest key yet. The kubelet updates the Secret within two minutes: if that has passed, check that the pod mounts ${secret} at ${folder}, and that the server reloads when files change.`;
}

type Timed = { phase: TicketPhase; since: Date; dropAt: Date | null; isLagging: boolean };

function nextOf({ phase, since, dropAt, isLagging }: Timed, rotateHours: number): Date | null {
  if (phase === "retiring") return dropAt;
  if (phase !== "idle" || isLagging) return null;
  return new Date(since.getTime() + rotateHours * 3_600_000);
}

const toDate = (text: string | null): Date | null => (text === null ? null : new Date(text));
