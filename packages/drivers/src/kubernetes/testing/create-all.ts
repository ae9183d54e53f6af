import { type KubernetesApi, type KubernetesObject, KubernetesRefusal } from "./kubernetes-api.ts";

const rbac = "/apis/rbac.authorization.k8s.io/v1";

/** Where the objects of Fairlead's manifests are created. */
const collections: Record<string, (namespace: string) => string> = {
  Namespace: () => "/api/v1/namespaces",
  ServiceAccount: (namespace) => `/api/v1/namespaces/${namespace}/serviceaccounts`,
  Service: (namespace) => `/api/v1/namespaces/${namespace}/services`,
  APIService: () => "/apis/apiregistration.k8s.io/v1/apiservices",
  Secret: (namespace) => `/api/v1/namespaces/${namespace}/secrets`,
  ConfigMap: (namespace) => `/api/v1/namespaces/${namespace}/configmaps`,
  Deployment: (namespace) => `/apis/apps/v1/namespaces/${namespace}/deployments`,
  DaemonSet: (namespace) => `/apis/apps/v1/namespaces/${namespace}/daemonsets`,
  Role: (namespace) => `${rbac}/namespaces/${namespace}/roles`,
  RoleBinding: (namespace) => `${rbac}/namespaces/${namespace}/rolebindings`,
  ClusterRole: () => `${rbac}/clusterroles`,
  ClusterRoleBinding: () => `${rbac}/clusterrolebindings`,
};

/** createAll creates the objects of a manifest, like kubectl apply. The namespace may exist already. */
export async function createAll(api: KubernetesApi, manifest: readonly KubernetesObject[]): Promise<void> {
  for (const object of manifest) {
    const collection = collections[object.kind ?? ""];
    if (!collection) throw new Error(`createAll can't create a ${object.kind}; add where it is created`);
    await api.create(collection(object.metadata.namespace ?? "default"), object).catch((error: unknown) => {
      const isThere = error instanceof KubernetesRefusal && error.code === 409 && object.kind === "Namespace";
      if (!isThere) throw error;
    });
  }
}
