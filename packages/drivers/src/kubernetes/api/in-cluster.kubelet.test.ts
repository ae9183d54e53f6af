import { realpathSync } from "node:fs";
import path from "node:path";
import { kubernetesManifest } from "@fairlead/domain/kubernetes";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { neededPermissions } from "../access/permissions.ts";
import type { KubernetesObject } from "../testing/kubernetes-api.ts";
import { controlPlaneAddress } from "../testing/nodes/addresses.ts";
import type { Nodes } from "../testing/nodes/nodes.ts";
import { answerImage, startNodes } from "../testing/nodes/start-nodes.ts";

const patience = { timeout: 60_000, interval: 200 };
let nodes: Nodes;
beforeAll(async () => {
  nodes = await startNodes({ count: 1 });
});
afterAll(() => nodes?.stop());

const lists: Record<string, string> = {
  Namespace: "/api/v1/namespaces",
  ServiceAccount: "/api/v1/namespaces/fairlead/serviceaccounts",
  Secret: "/api/v1/namespaces/fairlead/secrets",
  ClusterRole: "/apis/rbac.authorization.k8s.io/v1/clusterroles",
  ClusterRoleBinding: "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
};

it("a pod of ours finds the cluster around it, and may there what its manifest grants", async () => {
  const { api } = nodes.control;
  for (const document of parseAllDocuments(kubernetesManifest())) {
    const object = document.toJS() as KubernetesObject & { kind: string };
    await api.create(lists[object.kind] ?? "", object);
  }
  await api.create("/api/v1/namespaces/fairlead/pods", podOfOurs());
  const said = async () => {
    const seen = await api.get<KubernetesObject>("/api/v1/namespaces/default/services/seen").catch(() => null);
    return JSON.parse(seen?.metadata.annotations?.seen ?? "null");
  };
  await expect.poll(said, patience).toEqual({
    ...{ version: expect.stringMatching(/^v1\.\d+/), missing: [], pods: ["ours"] },
    asked: neededPermissions.length,
  });
});

/** It runs this very checkout with this Node, which its node lends it; the image has nothing that is used. */
function podOfOurs(): object {
  const script = path.join(import.meta.dirname, "testing/in-cluster-process.ts");
  const lent = [...new Set([checkout(), realpathSync(process.execPath, "utf8"), "/lib", "/lib64", "/usr"])];
  const name = (at: number) => `lent-${at}`;
  return {
    metadata: { name: "ours" },
    spec: {
      ...{ serviceAccountName: "fairlead", restartPolicy: "OnFailure", terminationGracePeriodSeconds: 1 },
      containers: [
        {
          ...{ name: "ours", image: answerImage, imagePullPolicy: "Never", command: [process.execPath, script] },
          // One that asks for nothing gets none of a processor that others use.
          resources: { requests: { cpu: "500m" } },
          // Of this control plane no virtual address leads to the API; a pod is told another one this way.
          env: [
            { name: "KUBERNETES_SERVICE_HOST", value: controlPlaneAddress },
            { name: "KUBERNETES_SERVICE_PORT", value: new URL(nodes.control.url).port },
          ],
          volumeMounts: lent.map((mountPath, at) => ({ name: name(at), mountPath, readOnly: true })),
        },
      ],
      volumes: lent.map((each, at) => ({ name: name(at), hostPath: { path: each } })),
    },
  };
}

function checkout(): string {
  return path.resolve(import.meta.dirname, "../../../../..");
}
