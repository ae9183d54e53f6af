import { createAll, type KubernetesObject, type Nodes, startNodes } from "@fairlead/drivers/kubernetes-testing";
import { parseAllDocuments } from "yaml";
import { ports } from "./product.ts";
import { test as base } from "./test.ts";

/** The nodes of a cluster that runs containers, which all tests of a worker share. */
export const test = base.extend<object, { nodes: Nodes }>({
  nodes: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of used fixtures from the pattern.
    async ({}, use) => {
      const nodes = await startNodes({ count: 2 });
      nodes.lead(ports.gateway);
      await use(nodes);
      await nodes.stop();
    },
    { scope: "worker", timeout: 300_000 },
  ],
});

/** apply creates the objects of a manifest, like kubectl apply. */
export function apply({ control }: Nodes, manifest: string): Promise<void> {
  return createAll(
    control.api,
    parseAllDocuments(manifest).map((document) => document.toJS() as KubernetesObject),
  );
}

/** kubeconfigOfSecret returns what the commands in the dashboard write: the kubeconfig of the account in the manifest. */
export async function kubeconfigOfSecret({ control }: Nodes): Promise<string> {
  type Secret = KubernetesObject & { data?: { token?: string } };
  for (;;) {
    const { data } = await control.api.get<Secret>("/api/v1/namespaces/fairlead/secrets/fairlead-token");
    if (data?.token) return control.kubeconfigFor({ token: atob(data.token) });
  }
}
