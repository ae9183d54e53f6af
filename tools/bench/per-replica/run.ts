import os from "node:os";
import { freePort } from "@fairlead/db/free-port";
import { type OwnControlPlane, startControlPlane } from "@fairlead/drivers/kubernetes-testing";
import { provideKubernetes } from "../../kubernetes/provide.ts";
import { startStack } from "../controlplane/stack.ts";
import type { Benchmark } from "../main.ts";
import { ClusterWatcher } from "./cluster-watcher.ts";
import { measureClusters } from "./clusters.ts";
import { explain, judge, type Least, type Measured, type What } from "./judge.ts";
import { measureNarrow } from "./narrow.ts";
import { ask, attach } from "./product.ts";
import type { Rig } from "./rig.ts";
import { measureScale } from "./scale.ts";
import { measureSteady } from "./steady.ts";

const sizes = {
  full: {
    nodes: 20,
    steady: { changes: 300, everyMs: 250 },
    scale: { instances: 2_000, replacements: 25, settledMs: 15_000 },
    narrow: { instances: 200 },
    clusters: { nodes: 5, clusters: 50, unreachable: 5, rounds: 8, everyMs: 100, settledMs: 8_000 },
  },
  quick: {
    nodes: 20,
    steady: { changes: 100, everyMs: 250 },
    scale: { instances: 2_000, replacements: 5, settledMs: 15_000 },
    narrow: { instances: 200 },
    clusters: { nodes: 5, clusters: 50, unreachable: 5, rounds: 2, everyMs: 100, settledMs: 8_000 },
  },
  smoke: {
    nodes: 1,
    steady: { changes: 2, everyMs: 100 },
    scale: { instances: 4, replacements: 1, settledMs: 0 },
    narrow: { instances: 2 },
    clusters: { nodes: 1, clusters: 2, unreachable: 1, rounds: 1, everyMs: 100, settledMs: 500 },
  },
};
const parts = ["steady", "scale", "narrow", "clusters"] as const;

/**
 * A load balancer for each instance, on a real Kubernetes API, with the product as `npm start` runs it: how soon an instance
 * has its Service and its mapping, what thousands of instances and many clusters cost, and the effect of a busy apiserver.
 * FAIRLEAD_BENCH_PARTS (comma-separated names) selects parts.
 */
export const run: Benchmark = async ({ form, root }) => {
  const size = sizes[form];
  const wanted = (process.env.FAIRLEAD_BENCH_PARTS ?? (form === "smoke" ? "steady" : parts.join())).split(",");
  process.env.FAIRLEAD_KUBERNETES_BIN = await provideKubernetes();
  const stack = await startStack(root, { web: await freePort(), gateway: await freePort() });
  const measured: Measured = { took: [], counts: [], compared: [] };
  const least: Least = [];
  const keep = (of: Partial<Measured>) => {
    measured.took.push(...(of.took ?? []));
    measured.counts.push(...(of.counts ?? []));
    measured.compared.push(...(of.compared ?? []));
  };
  const expect = (subject: string, times: number, ...whats: What[]) =>
    least.push(...whats.map((what) => ({ subject, what, times })));
  try {
    if (wanted.some((each) => each !== "clusters"))
      await within(size.nodes, async (control) => {
        const account = await control.createServiceAccount(await control.createNamespace("fairlead"));
        const clusterId = await attach(stack, "bench", account.kubeconfig);
        const rig: Rig = { stack, control, watcher: new ClusterWatcher(control) };
        try {
          if (wanted.includes("steady")) {
            say("one instance after the other");
            const { exposureId, ...found } = await measureSteady(rig, clusterId, size.steady);
            keep(found);
            expect(found.subject, size.steady.changes, "running", "mapped");
            await ask(stack, "DELETE", `/exposures/${exposureId}`);
          }
          if (wanted.includes("scale")) {
            say("many instances at once");
            const found = await measureScale(rig, clusterId, size.scale);
            keep(found);
            expect(found.subject, 1, "exposed");
            expect(found.subject, size.scale.replacements, "replaced");
          }
          if (wanted.includes("narrow")) {
            say("an apiserver that rejects most requests");
            keep(await measureNarrow(rig, clusterId, { ...size.narrow, accounts: account.namespace }));
          }
        } finally {
          await rig.watcher.stop();
        }
      });
    if (wanted.includes("clusters"))
      await within(size.clusters.nodes, async (control) => {
        say("many clusters");
        const { token } = await control.createServiceAccount(await control.createNamespace("fairlead"));
        const rig: Rig = { stack, control, watcher: new ClusterWatcher(control) };
        try {
          const found = await measureClusters(rig, token, size.clusters);
          keep(found);
          const { clusters, unreachable, rounds } = size.clusters;
          expect(found.subject, (clusters - unreachable) * rounds, "running", "mapped");
        } finally {
          await rig.watcher.stop();
        }
      });
    return { results: judge(measured, least), limits: explain() };
  } finally {
    await stack.stop();
  }
};

function say(what: string): void {
  console.log(`• ${what} (load ${(os.loadavg()[0] ?? 0).toFixed(1)})`);
}

async function within(nodes: number, work: (control: OwnControlPlane) => Promise<void>): Promise<void> {
  const control = await startControlPlane({ kwok: { nodes } });
  try {
    await work(control);
  } finally {
    await control.stop();
  }
}
