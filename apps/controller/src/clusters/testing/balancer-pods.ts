import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { clusterRouting, createBalancerManifest as manifestWish } from "@fairlead/domain";
import { clientAddress, type KubernetesObject, type Nodes } from "@fairlead/drivers/kubernetes-testing";
import { createAddressPool, createBalancerManifest, createEnrollmentToken, updateCluster } from "@fairlead/services";
import { parseAllDocuments } from "yaml";
import type { ClusterStage } from "./cluster-stage.ts";

const agents = path.resolve(import.meta.dirname, "../../../../../agents");
const image = "example.test/fairlead-agent:1";

const paths = {
  Namespace: "/api/v1/namespaces",
  Secret: "/api/v1/namespaces/fairlead/secrets",
  DaemonSet: "/apis/apps/v1/namespaces/fairlead/daemonsets",
} as const;

/**
 * startBalancerPods runs our balancers on the cluster's own nodes, by the manifest that people copy from the dashboard, and
 * beyond the nodes a router of ours that leads clients by what they announce. It answers the pool that addresses come from.
 */
export async function startBalancerPods(nodes: Nodes, stage: ClusterStage, clusterId: string): Promise<string> {
  const now = () => ({ ...stage.ctx, now: new Date() });
  const binary = path.join(nodes.folder, "fairlead-agent");
  const env = { ...process.env, CGO_ENABLED: "0" };
  await promisify(execFile)("go", ["build", "-trimpath", "-o", binary, "./cmd/fairlead-agent"], { cwd: agents, env });
  await nodes.addImage(image, { files: [{ from: binary, to: "/fairlead-agent" }], entrypoint: ["/fairlead-agent"] });
  const { id: poolId } = await createAddressPool(now(), { clusterId, name: "outside", prefix: "198.51.100.0/27" });
  await updateCluster(now(), clusterId, {
    routing: clusterRouting.parse({
      ...{ asn: 65_001, balancers: ["10.250.0.0/24"], drainSeconds: 5 },
      routers: [{ name: "edge", address: clientAddress, asn: 65_002 }],
    }),
  });
  const { address, port } = nodes.lead(stage.port);
  const gatewayUrl = `https://${address}:${port}`;
  await startRouter(binary);
  await applyManifest();
  return poolId;

  async function startRouter(program: string): Promise<void> {
    const { token } = await createEnrollmentToken(now(), { clusterId, nodeName: "edge", expiresInMinutes: 60 });
    const state = path.join(nodes.folder, "edge");
    mkdirSync(state);
    writeFileSync(path.join(state, "token"), token);
    nodes.runAtClient("edge", program, [
      ...["router", "--control-plane", gatewayUrl, "--token-file", path.join(state, "token")],
      ...["--node-name", "edge", "--state", state, "--interface", "eth0"],
    ]);
  }

  /** What kubectl apply does. */
  async function applyManifest(): Promise<void> {
    const settings = { ...stage.ctx.settings, gatewayUrl };
    const wish = manifestWish.parse({ id: clusterId, image, network: "node" });
    const { manifest } = await createBalancerManifest({ ...now(), settings }, wish);
    for (const document of parseAllDocuments(manifest)) {
      const { kind, metadata, ...rest } = document.toJS() as KubernetesObject & { kind: keyof typeof paths };
      await nodes.control.api.create(paths[kind], { metadata, ...rest });
    }
  }
}
