import { writeFileSync } from "node:fs";
import path from "node:path";
import { GuardedPrograms } from "../guarded-programs.ts";
import type { OwnControlPlane } from "../own-control-plane.ts";
import { type AwsBalancer, listBalancers } from "./list-balancers.ts";
import { clusterName, createTestMachines, credentials, region, type TestMachines, zone } from "./test-machines.ts";

const program = "aws-cloud-controller-manager";

/** AwsController creates balancers in an emulated cloud for the Services of one cluster. It forwards no packets. */
export type AwsController = {
  /** The existing balancers in the cluster's network. */
  balancers: () => Promise<AwsBalancer[]>;
  isRunning: () => boolean;
  lastWords: () => string;
  stop: () => Promise<void>;
};

/**
 * startAwsController runs AWS' own Service controller for a cluster, and makes its nodes machines of the emulator. A
 * cluster has one such controller.
 */
export async function startAwsController(
  control: OwnControlPlane,
  { endpoint, nodes }: { endpoint: string; nodes: readonly string[] },
): Promise<AwsController> {
  const bin = process.env.FAIRLEAD_KUBERNETES_AWS_BIN;
  if (!bin)
    throw new Error(
      "FAIRLEAD_KUBERNETES_AWS_BIN is not set: vitest's project kube-cloud sets it, or tools/kubernetes/provide.ts",
    );
  const machines = await createTestMachines(endpoint, nodes.length);
  for (const [i, node] of nodes.entries())
    await control.api.merge(`/api/v1/nodes/${node}`, {
      spec: { providerID: `aws:///${zone}/${machines.instanceIds[i]}` },
    });
  const programs = new GuardedPrograms();
  const file = (name: string) => path.join(programs.folder, name);
  writeFileSync(file("cloud.conf"), configOf(machines));
  writeFileSync(file("kubeconfig"), control.kubeconfig, { mode: 0o600 });
  const args = [
    "--cloud-provider=aws",
    `--cloud-config=${file("cloud.conf")}`,
    `--kubeconfig=${file("kubeconfig")}`,
    // Another of its controllers would delete nodes without a machine in AWS.
    "--controllers=service-lb-controller",
    "--leader-elect=false",
    "--secure-port=0",
  ];
  programs.start(program, path.join(bin, program), args, {
    AWS_ENDPOINT_URL: endpoint,
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_EC2_METADATA_DISABLED: "true",
  });
  return {
    balancers: async () => (await listBalancers(endpoint)).filter(({ vpcId }) => vpcId === machines.vpcId),
    isRunning: () => programs.isRunning(program),
    lastWords: () => programs.lastWords(program),
    stop: () => programs.close(),
  };
}

/** The network is set, because there is no metadata service to query. */
function configOf({ vpcId, subnetId }: TestMachines): string {
  return `[Global]
Zone=${zone}
VPC=${vpcId}
SubnetID=${subnetId}
KubernetesClusterID=${clusterName}
KubernetesClusterTag=${clusterName}
`;
}
