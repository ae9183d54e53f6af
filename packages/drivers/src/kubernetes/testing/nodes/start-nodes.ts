import path from "node:path";
import { issueUser } from "../certificates.ts";
import { GuardedPrograms } from "../guarded-programs.ts";
import { areReady } from "../kwok-nodes.ts";
import type { OwnControlPlane } from "../own-control-plane.ts";
import { startControlPlane } from "../start-control-plane.ts";
import { until } from "../until.ts";
import { controlPlaneAddress } from "./addresses.ts";
import { type Delay, startDelay } from "./delay.ts";
import { writeImage } from "./image.ts";
import { startSite } from "./network.ts";
import { Node } from "./node.ts";
import { pauseImage } from "./node-files.ts";
import { lead, Nodes } from "./nodes.ts";

export const answerImage = "example.test/answer:1";

const readyWithinMs = 60_000;

type NodesOptions = {
  count: number;
  /** How often kubelets update Secrets in pods. */
  syncSeconds?: number;
  /** Between nodes; none by default. */
  delay?: Delay;
};

/** startNodes starts a cluster with real nodes, each with its own network, and a client outside. */
export async function startNodes({ count, syncSeconds = 60, delay }: NodesOptions): Promise<Nodes> {
  const bin = process.env.FAIRLEAD_KUBERNETES_NODES_BIN;
  if (!bin)
    throw new Error(
      "FAIRLEAD_KUBERNETES_NODES_BIN is not set: vitest's project kubelet sets it, or tools/kubernetes/provide.ts",
    );
  const programs = new GuardedPrograms();
  let control: OwnControlPlane | null = null;
  try {
    const images = await writeImages(programs.folder, bin);
    control = await startControlPlane({ scheduler: true, families: "IPv4" });
    const near = await startSite(programs, count, path.join(bin, "pause"));
    const site = delay ? await startDelay(programs, near, delay) : near;
    const { port } = new URL(control.url);
    const { authority } = control.access;
    lead(programs, site, bin, Number(port));
    const api = { url: `https://${controlPlaneAddress}:${port}`, ca: control.ca };
    const proxy = await issueUser(authority, "system:kube-proxy");
    const nodes = site.machines.map((machine, at) => {
      const number = at + 1;
      const name = `node-${number}`;
      const cgroup = `/${path.basename(programs.folder)}/${name}`;
      const folder = path.join(programs.folder, name);
      return new Node({ number, name, folder, bin, cgroup, api, syncSeconds }, machine, programs);
    });
    await Promise.all(
      nodes.map(async (node) => {
        const kubelet = await issueUser(authority, `system:node:${node.layout.name}`, ["system:nodes"]);
        await node.start({ kubelet, proxy }, images);
      }),
    );
    await allReady(control, nodes);
    await createApiEndpoints(control);
    return new Nodes({ control, programs, site, nodes, bin });
  } catch (error) {
    await programs.close();
    await control?.stop();
    throw error;
  }
}

/**
 * createApiEndpoints creates the endpoints of the API, which it can't create itself with a loopback address. Programs
 * look for this slice to detect whether a cluster has EndpointSlices.
 */
async function createApiEndpoints({ api, url }: OwnControlPlane): Promise<void> {
  await api.create("/apis/discovery.k8s.io/v1/namespaces/default/endpointslices", {
    metadata: { name: "kubernetes", labels: { "kubernetes.io/service-name": "kubernetes" } },
    addressType: "IPv4",
    endpoints: [{ addresses: [controlPlaneAddress], conditions: { ready: true } }],
    ports: [{ name: "https", protocol: "TCP", port: Number(new URL(url).port) }],
  });
}

/** The images that every test uses: the pause container, and an instance that returns its name. */
async function writeImages(folder: string, bin: string): Promise<string[]> {
  const own = { pause: pauseImage, answer: answerImage };
  return Promise.all(
    Object.entries(own).map(async ([program, name]) => {
      const archive = path.join(folder, `${program}.tar`);
      const files = [{ from: path.join(bin, program), to: `/${program}` }];
      await writeImage(archive, { name, files, entrypoint: [`/${program}`] });
      return archive;
    }),
  );
}

async function allReady({ api }: OwnControlPlane, nodes: readonly Node[]): Promise<void> {
  try {
    await until(`${nodes.length} ready nodes`, () => areReady(api, nodes.length), readyWithinMs);
  } catch (error) {
    const logs = nodes.map((node) => `${node.layout.name}:\n${node.lastWords("kubelet")}`);
    throw new Error(`Not all nodes are ready; their kubelets' last log lines:\n${logs.join("\n")}`, { cause: error });
  }
}
