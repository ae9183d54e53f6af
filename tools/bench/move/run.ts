import { startTestServer } from "@fairlead/db/testing";
import { startMove as moveInput } from "@fairlead/domain/move";
import {
  countAnswers,
  followMove,
  type Load,
  setTwoClusters,
  startLoad,
  type TwoClusters,
  until,
} from "@fairlead/launcher/testing/lab";
import { getExposure, startMove } from "@fairlead/services";
import type { Benchmark } from "../main.ts";
import { explain, judge, type Moved, type RolledBack } from "./judge.ts";

type Size = {
  steps: number[];
  watchSeconds: number;
  /** The end of each step, in which shares are measured. */
  measuredMs: number;
  load: { open: number; everyMs: number; perSecond: number };
  rollbacks: number;
  killed: boolean;
};

const load = { open: 10_000, everyMs: 20_000, perSecond: 300 };
const sizes: Record<"full" | "quick" | "smoke", Size> = {
  full: { steps: [25, 50, 100], watchSeconds: 45, measuredMs: 30_000, load, rollbacks: 5, killed: true },
  quick: { steps: [25, 50, 100], watchSeconds: 30, measuredMs: 15_000, load, rollbacks: 1, killed: true },
  smoke: {
    ...{ steps: [50, 100], watchSeconds: 3, measuredMs: 2_000, rollbacks: 0, killed: false },
    load: { open: 200, everyMs: 1_000, perSecond: 50 },
  },
};
const mostMs = 600_000;

/**
 * An exposure moves between two clusters behind one router, with real agents, while connections stay open and new ones begin: back and
 * forth, the second time with a control plane that is killed after each step. Then the target loses its backends at the first step.
 * --rounds is the number of moves in each direction.
 */
export const run: Benchmark = async ({ form, rounds = 1 }) => {
  const size = sizes[form];
  const server = await startTestServer();
  process.env.FAIRLEAD_TEST_SERVER = server.url;
  try {
    const clusters = await setTwoClusters("move");
    try {
      const { id, address } = await clusters.expose();
      const moved: Moved[] = [];
      const rolledBack: RolledBack[] = [];
      const ends = [clusters.stage.clusterId, clusters.west];
      for (let i = 0; i < rounds * (size.killed ? 2 : 1); i++)
        moved.push(
          await measureMove(clusters, { id, address, to: ends[(i + 1) % 2] ?? "", killed: i % 2 === 1 }, size),
        );
      for (let i = 0; i < size.rollbacks; i++) rolledBack.push(await measureRollback(clusters, { id, address }, size));
      const times = { moves: rounds, rollbacks: size.rollbacks, connections: size.load.open };
      return { results: judge(moved, rolledBack, times), limits: explain(moved) };
    } finally {
      await clusters.stage.stop();
    }
  } finally {
    await server.stop();
  }
};

type Way = { id: string; address: string; to: string; killed: boolean };

async function measureMove(clusters: TwoClusters, { id, address, to, killed }: Way, size: Size): Promise<Moved> {
  const { stage } = clusters;
  const running = await startLoad(stage, "near", { address, port: 80, ...size.load, readyWithinMs: mostMs });
  let load: Load;
  let found: Awaited<ReturnType<typeof followMove>>;
  try {
    const { id: moveId } = await begin(clusters, { id, to }, size);
    found = await followMove(stage, moveId, mostMs, async (share) => {
      console.error(`• ${share} %${killed ? ", the control plane is killed" : ""}`);
      if (killed) (await stage.killController())();
    });
    if (size.killed) await drained(clusters, id);
  } finally {
    load = await running.end();
  }
  const pods = await clusters.podsIn(to);
  const steps = found.applied.map(({ share, to: end }) => {
    const { all, there } = countAnswers(load, pods, { from: new Date(end.getTime() - size.measuredMs), to: end });
    return { share, measured: (there / Math.max(1, all)) * 100, all };
  });
  const visits = countAnswers(load, [], { from: new Date(0), to: new Date() }).all + load.failed.length;
  for (const { at, message } of [...load.broken.slice(0, 3), ...load.failed.slice(0, 3)])
    console.error(`  broke at ${new Date(at).toISOString()}: ${message}`);
  const { state } = found.move;
  return {
    ...{ killed, state, connections: load.open, broken: load.broken.length, visits, failed: load.failed.length, steps },
  };
}

/** measureRollback stops the pods of the target after the first step. */
async function measureRollback(
  clusters: TwoClusters,
  { id, address }: { id: string; address: string },
  size: Size,
): Promise<RolledBack> {
  const { stage } = clusters;
  const { clusterId: from } = await getExposure(stage.now(), id);
  const to = from === clusters.west ? stage.clusterId : clusters.west;
  const pods = await clusters.podsIn(to);
  const light = { open: 100, everyMs: 1_000, perSecond: 50 };
  const running = await startLoad(stage, "near", { address, port: 80, ...light, readyWithinMs: mostMs });
  let load: Load;
  let found: Awaited<ReturnType<typeof followMove>>;
  let routedAt = 0;
  try {
    const { id: moveId } = await begin(clusters, { id, to }, size);
    const following = followMove(stage, moveId, mostMs, async () => {
      await until("the target serves", mostMs, () => stage.hops(address) === 2);
      for (const pod of pods) stage.lab("fault", "freeze", pod);
    });
    const routing = (async () => {
      await until("the target serves", mostMs, () => stage.hops(address) === 2);
      await until("only the source serves", mostMs, () => stage.hops(address) === 1);
      routedAt = Date.now();
    })();
    [found] = await Promise.all([following, routing]);
    for (const pod of pods) stage.lab("fault", "thaw", pod);
    await drained(clusters, id);
  } finally {
    load = await running.end();
  }
  const { history, state } = found.move;
  const closed = history.find((each) => each.state === "rolling-back")?.at.getTime() ?? 0;
  const ended = history.at(-1)?.at.getTime() ?? 0;
  const settled = Math.max(ended, routedAt);
  return {
    ...{ state, ms: ended - closed, routedMs: Math.max(0, routedAt - closed) },
    failedAfter: load.failed.filter((each) => each.at > settled).length,
  };
}

async function begin(
  { stage }: TwoClusters,
  { id, to }: { id: string; to: string },
  { steps, watchSeconds }: Size,
): Promise<{ id: string }> {
  const most = Math.max(15, watchSeconds); // what an operator may request
  const gates = { maxLatencyMsP99: null, maxCpuPercent: null }; // of a machine that runs the clients, too
  const input = moveInput.parse({ exposureId: id, clusterId: to, steps, watchSeconds: most, gates });
  const { id: moveId } = await startMove(stage.now(), input);
  if (watchSeconds < most) await stage.database.db.move.update({ where: { id: moveId }, data: { watchSeconds } });
  return { id: moveId };
}

/** drained waits until the balancer of the cluster that is left is removed, which is a minute later. */
function drained({ stage }: TwoClusters, exposureId: string): Promise<void> {
  const isAlone = async () => (await stage.database.db.loadBalancer.count({ where: { exposureId } })) === 1;
  return until("the cluster that is left has drained", mostMs, isAlone);
}
