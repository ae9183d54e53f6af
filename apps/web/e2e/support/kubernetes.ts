import { newId } from "@fairlead/domain";
import { sendJson, startHttpsServer } from "@fairlead/drivers/https-testing";
import type { APIRequestContext } from "@playwright/test";
import { query } from "./database.ts";
import { create, remove, unique } from "./rest.ts";

type Workload = { kind: string; namespace: string; name: string; desired: number; ready: number };
type Pod = { name: string; workload: string; ready: boolean };
type Api = { url: string; authority: string };

/** startClusterApi starts the API of a cluster that responds and lists nothing, so that a test can write what was seen in it. */
export function startClusterApi() {
  return startHttpsServer(({ url }, response) =>
    url === "/version" ? sendJson(response, 200, { gitVersion: "v1.36.3" }) : sendJson(response, 503, {}),
  );
}

export function kubeconfigOf({ url, authority }: Api): string {
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "one", cluster: { server: url, "certificate-authority-data": btoa(authority) } }],
    users: [{ name: "me", user: { token: "t0ken" } }],
    contexts: [{ name: "a", context: { cluster: "one", user: "me" } }],
    "current-context": "a",
  });
}

/** seeWorkload writes a workload as if it had been read from the API of the cluster. */
export function seeWorkload(clusterId: string, { kind, namespace, name, desired, ready }: Workload) {
  return query(
    `INSERT INTO inventory_item (id, organization_id, cluster_id, kind, namespace, name, desired, ready, addresses, changed_at)
     SELECT $1, organization_id, id, $3, $4, $5, $6::int, $7::int, '{}', now() FROM cluster WHERE id = $2`,
    [newId("inventoryItem"), clusterId, kind, namespace, name, String(desired), String(ready)],
  );
}

/** attachCluster creates an attached Kubernetes cluster, in which a test can write what was seen. */
export async function attachCluster(request: APIRequestContext) {
  const api = await startClusterApi();
  const cluster = await create(request, "clusters", {
    name: unique("kube"),
    kind: "kubernetes",
    region: "eu-central-1",
    kubernetes: { kubeconfig: kubeconfigOf(api) },
  });
  return {
    cluster,
    seeWorkload: (workload: Workload) => seeWorkload(cluster.id, workload),
    seePod: ({ name, workload, ready }: Pod) =>
      query(
        `INSERT INTO instance (id, organization_id, cluster_id, name, workload, node_name, addresses, ready, source, changed_at)
         SELECT $1, organization_id, id, $3, $4, 'worker-1', '{10.1.0.1}', $5::boolean, id, now() FROM cluster WHERE id = $2
         ON CONFLICT (cluster_id, name) DO UPDATE SET ready = excluded.ready`,
        [newId("instance"), cluster.id, name, workload, String(ready)],
      ),
    async close() {
      await remove(request, "clusters", cluster.id);
      await api.close();
    },
  };
}
