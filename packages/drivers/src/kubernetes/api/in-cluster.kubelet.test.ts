import path from "node:path";
import { kubernetesManifest } from "@fairlead/domain/kubernetes";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { neededPermissions } from "../access/permissions.ts";
import type { KubernetesObject } from "../testing/kubernetes-api.ts";
import { controlPlaneAddress } from "../testing/nodes/addresses.ts";
import type { Nodes } from "../testing/nodes/nodes.ts";
import { scriptPod } from "../testing/nodes/script-pod.ts";
import { startNodes } from "../testing/nodes/start-nodes.ts";

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

it("a controller pod finds its own cluster, and has the permissions of the manifest", async () => {
  const { api } = nodes.control;
  for (const document of parseAllDocuments(kubernetesManifest())) {
    const object = document.toJS() as KubernetesObject & { kind: string };
    await api.create(lists[object.kind] ?? "", object);
  }
  await api.create("/api/v1/namespaces/fairlead/pods", controllerPod());
  const reported = async () => {
    const seen = await api.get<KubernetesObject>("/api/v1/namespaces/default/services/seen").catch(() => null);
    return JSON.parse(seen?.metadata.annotations?.seen ?? "null");
  };
  await expect.poll(reported, patience).toEqual({
    ...{ version: expect.stringMatching(/^v1\.\d+/), missing: [], pods: ["ours"] },
    checked: neededPermissions.length,
  });
});

function controllerPod(): object {
  const { container, volumes } = scriptPod(path.join(import.meta.dirname, "../testing/in-cluster-process.ts"));
  return {
    metadata: { name: "ours" },
    spec: {
      ...{ serviceAccountName: "fairlead", restartPolicy: "OnFailure", terminationGracePeriodSeconds: 1, volumes },
      containers: [
        {
          ...{ ...container, name: "ours" },
          // A container without a request gets no CPU time on a busy machine.
          resources: { requests: { cpu: "500m" } },
          // No Service address leads to this control plane's API, so the pod gets its real address.
          env: [
            { name: "KUBERNETES_SERVICE_HOST", value: controlPlaneAddress },
            { name: "KUBERNETES_SERVICE_PORT", value: new URL(nodes.control.url).port },
          ],
        },
      ],
    },
  };
}
