import { type KubernetesPermission, kubernetesPermissions } from "./kubernetes-permissions.ts";

const namespace = "fairlead";
const account = "fairlead";
const secret = "fairlead-token";

/**
 * kubernetesManifest creates a service account with just the permissions that Fairlead needs. Its token is a Secret, because
 * tokens of kubectl create token expire.
 */
export function kubernetesManifest(): string {
  return `${[
    `# The permissions that Fairlead needs in a cluster, and nothing else.
apiVersion: v1
kind: Namespace
metadata:
  name: ${namespace}`,
    `apiVersion: v1
kind: ServiceAccount
metadata:
  name: ${account}
  namespace: ${namespace}`,
    `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: ${account}
rules:
${kubernetesPermissions.map(toRule).join("\n")}`,
    `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: ${account}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: ${account}
subjects:
  - kind: ServiceAccount
    name: ${account}
    namespace: ${namespace}`,
    `apiVersion: v1
kind: Secret
metadata:
  name: ${secret}
  namespace: ${namespace}
  annotations:
    kubernetes.io/service-account.name: ${account}
type: kubernetes.io/service-account-token`,
  ].join("\n---\n")}\n`;
}

function toRule({ group, resource, verbs, why }: KubernetesPermission): string {
  return `  # ${why}
  - apiGroups: ["${group}"]
    resources: ["${resource}"]
    verbs: [${verbs.map((verb) => `"${verb}"`).join(", ")}]`;
}

/** URLs that are safe between single quotes in a shell. */
const plainServer = /^https:\/\/[A-Za-z0-9.:/_[\]-]+$/;

/** kubeconfigCommands create a kubeconfig of the manifest's account. The first one finds the server, if it is unknown. */
export function kubeconfigCommands(server: string | null): string[] {
  const known = server !== null && plainServer.test(server) ? server : "";
  const find = known
    ? `SERVER='${known}'`
    : "SERVER=$(kubectl config view --minify -o jsonpath='{.clusters[0].cluster.server}')";
  const template = `{"apiVersion":"v1","kind":"Config","current-context":"fairlead","clusters":[{"name":"fairlead","cluster":{"server":"'"$SERVER"'","certificate-authority-data":"{{index .data "ca.crt"}}"}}],"users":[{"name":"fairlead","user":{"token":"{{.data.token | base64decode}}"}}],"contexts":[{"name":"fairlead","context":{"cluster":"fairlead","user":"fairlead"}}]}`;
  return [find, `kubectl -n ${namespace} get secret ${secret} -o go-template='${template}' > fairlead.kubeconfig`];
}
