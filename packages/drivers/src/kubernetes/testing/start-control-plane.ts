import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { issueServer, issueUser, makeAuthority, makeTokenKeys } from "./certificates.ts";
import type { Access } from "./control-plane.ts";
import { GuardedPrograms } from "./guarded-programs.ts";
import { writeKubeconfig } from "./kubeconfig.ts";
import { areReady, createNodes } from "./kwok-nodes.ts";
import { OwnControlPlane } from "./own-control-plane.ts";
import { freePorts } from "./ports.ts";
import { aggregator, type Layout } from "./program-arguments.ts";
import { until } from "./until.ts";

export type ControlPlaneOptions = {
  /** Run the controllers: Deployments create pods, namespaces get ServiceAccounts, and owned objects are garbage-collected. */
  controllerManager?: boolean;
  /** Run a scheduler for nodes that are added otherwise, and the controllers. */
  scheduler?: boolean;
  /** Run a scheduler, the controllers, and this many nodes, on which kwok makes pods ready at once. */
  kwok?: { nodes: number } | null;
  authorization?: Layout["authorization"];
  /** The address families of Services: both by default. */
  families?: Layout["families"];
};

const settledWithinMs = 60_000;
const tries = 3;

/** startControlPlane starts a Kubernetes API for one test, on free loopback ports. It takes about three seconds. */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<OwnControlPlane> {
  const bin = process.env.FAIRLEAD_KUBERNETES_BIN;
  if (!bin)
    throw new Error(
      "FAIRLEAD_KUBERNETES_BIN is not set: vitest's project kube sets it, or tools/kubernetes/provide.ts",
    );
  for (let i = 1; ; i++) {
    try {
      return await start(options, bin);
    } catch (error) {
      // Another program took a port after it was found free.
      if (i === tries || !String(error).includes("address already in use")) throw error;
    }
  }
}

async function start(options: ControlPlaneOptions, bin: string): Promise<OwnControlPlane> {
  const {
    controllerManager = false,
    scheduler: isScheduled = false,
    kwok = null,
    authorization = "RBAC",
    families = "both",
  } = options;
  const [etcd = 0, peers = 0, api = 0, controllers = 0, scheduler = 0, kwokPort = 0] = await freePorts(6);
  const programs = new GuardedPrograms();
  const layout: Layout = {
    folder: programs.folder,
    ports: { etcd, peers, api, controllers, scheduler, kwok: kwokPort },
    isManaged: controllerManager || isScheduled || kwok !== null,
    authorization,
    families,
  };
  const access: Access = {
    url: `https://127.0.0.1:${api}`,
    authority: await makeAuthority(),
    adminToken: randomBytes(16).toString("hex"),
  };
  const controlPlane = new OwnControlPlane(access, layout, programs, bin);
  try {
    await writeFiles(programs.folder, access);
    await controlPlane.start("etcd");
    await controlPlane.start("kube-apiserver");
    if (layout.isManaged) await controlPlane.start("kube-controller-manager");
    if (isScheduled || kwok) await controlPlane.start("kube-scheduler");
    if (kwok) await addNodes(controlPlane, kwok.nodes);
    if (layout.isManaged) await settled(controlPlane);
  } catch (error) {
    await controlPlane.stop();
    throw error;
  }
  return controlPlane;
}

/** settled waits for the default ServiceAccount, without which pods can't be created. */
function settled({ api }: OwnControlPlane): Promise<void> {
  const account = "/api/v1/namespaces/default/serviceaccounts/default";
  return until("the controllers' first work", () => api.get(account), settledWithinMs);
}

async function addNodes(controlPlane: OwnControlPlane, count: number): Promise<void> {
  await controlPlane.start("kwok");
  await createNodes(controlPlane.api, count);
  await until(`${count} ready nodes`, () => areReady(controlPlane.api, count), settledWithinMs);
}

async function writeFiles(folder: string, { url, authority, adminToken }: Access): Promise<void> {
  const server = await issueServer(authority);
  const tokens = makeTokenKeys();
  const aggregation = await makeAuthority();
  const aggregating = await issueUser(aggregation, aggregator);
  const files = {
    "ca.crt": authority.certificate,
    "ca.key": authority.key,
    "server.crt": server.certificate,
    "server.key": server.key,
    "aggregator-ca.crt": aggregation.certificate,
    "aggregator.crt": aggregating.certificate,
    "aggregator.key": aggregating.key,
    "tokens.key": tokens.privateKey,
    "tokens.pub": tokens.publicKey,
    "tokens.csv": `${adminToken},admin,admin,"system:masters"\n`,
    "admin.kubeconfig": writeKubeconfig(url, authority.certificate, { token: adminToken }),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
}
