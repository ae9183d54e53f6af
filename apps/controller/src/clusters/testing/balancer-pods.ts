import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type CreateBalancerManifest, createBalancerManifest as manifestSpec } from "@fairlead/domain/load-balancer";
import { clusterRouting } from "@fairlead/domain/routing";
import { clientAddress, createAll, type KubernetesObject, type Nodes } from "@fairlead/drivers/kubernetes-testing";
import { createAddressPool, createBalancerManifest, createEnrollmentToken, updateCluster } from "@fairlead/services";
import { parseAllDocuments } from "yaml";
import { addAgentImage, agentImage } from "./agent-pods.ts";
import type { ClusterStage } from "./cluster-stage.ts";

/**
 * startBalancerPods runs Fairlead's balancers on the cluster's nodes, with the manifest from the dashboard, and behind the nodes
 * a Fairlead router that routes clients by their announcements. It returns the address pool.
 */
export async function startBalancerPods(
  nodes: Nodes,
  stage: ClusterStage,
  clusterId: string,
  { rights = "net-admin" }: Partial<Pick<CreateBalancerManifest, "rights">> = {},
): Promise<string> {
  const now = () => ({ ...stage.ctx, now: new Date() });
  const binary = await addAgentImage(nodes);
  const { id: poolId } = await createAddressPool(now(), {
    clusterId,
    name: "outside",
    prefix: "198.51.100.0/27",
    note: "",
  });
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

  /** Like kubectl apply. */
  async function applyManifest(): Promise<void> {
    const settings = { ...stage.ctx.settings, gatewayUrl };
    const spec = manifestSpec.parse({ id: clusterId, image: agentImage, network: "node", rights });
    const { manifest } = await createBalancerManifest({ ...now(), settings }, spec);
    await createAll(
      nodes.control.api,
      parseAllDocuments(manifest).map((document) => document.toJS() as KubernetesObject),
    );
  }
}
