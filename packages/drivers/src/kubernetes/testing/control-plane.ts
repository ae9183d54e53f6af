import { randomBytes } from "node:crypto";
import { kubernetesPermissions } from "@fairlead/domain/kubernetes";
import { type Line, openLine } from "../../testing/line.ts";
import { issueUser, type Pem } from "./certificates.ts";
import { type Credential, writeKubeconfig } from "./kubeconfig.ts";
import { KubernetesApi } from "./kubernetes-api.ts";

/** Access is what a control plane's administrator needs, also to create users. */
export type Access = { url: string; authority: Pem; adminToken: string };

export type PolicyRule = { apiGroups: string[]; resources: string[]; verbs: string[] };

/** ServiceAccount is an account in the cluster, as operators create one for Fairlead. */
export type ServiceAccount = {
  name: string;
  namespace: string;
  token: string;
  kubeconfig: string;
  /** Deletes it with its token. The API server caches a valid token for ten more seconds. */
  revoke: () => Promise<void>;
};

/** What the manifest for an attached cluster grants. */
export const manifestRules: PolicyRule[] = kubernetesPermissions.map(({ group, resource, verbs }) => ({
  apiGroups: [group],
  resources: [resource],
  verbs: [...verbs],
}));

const everything: PolicyRule[] = [{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }];

/** ControlPlane is a real Kubernetes API from a user's view: its methods don't affect other users. */
export class ControlPlane {
  readonly url: string;
  /** The certificate of its CA. */
  readonly ca: string;
  /** An administrator's. */
  readonly kubeconfig: string;
  /** Requests as the administrator. */
  readonly api: KubernetesApi;
  readonly access: Access;
  readonly #admin: Credential;

  constructor(access: Access) {
    this.access = access;
    this.url = access.url;
    this.ca = access.authority.certificate;
    this.#admin = { token: access.adminToken };
    this.kubeconfig = this.kubeconfigFor(this.#admin);
    this.api = this.apiFor(this.#admin);
  }

  /** kubeconfigFor returns a kubeconfig with the credential, optionally with another URL. */
  kubeconfigFor(credential: Credential, { url = this.url, namespace = "default" } = {}): string {
    return writeKubeconfig(url, this.ca, credential, namespace);
  }

  apiFor(credential: Credential, url = this.url): KubernetesApi {
    return new KubernetesApi(url, this.ca, credential);
  }

  /** createUser issues a user's certificate. Roles grant permissions to the user or its groups; system:masters has all. */
  createUser(user: string, groups: readonly string[] = []): Promise<Pem> {
    return issueUser(this.access.authority, user, groups);
  }

  /** createNamespace creates a unique namespace, and returns its name. */
  async createNamespace(prefix = "test"): Promise<string> {
    const name = `${prefix}-${randomBytes(4).toString("hex")}`;
    await this.api.create("/api/v1/namespaces", { metadata: { name } });
    return name;
  }

  /** createServiceAccount creates an account with these permissions in all namespaces; by default with all. */
  async createServiceAccount(namespace = "default", rules: PolicyRule[] = everything): Promise<ServiceAccount> {
    const name = `account-${randomBytes(4).toString("hex")}`;
    const accounts = `/api/v1/namespaces/${namespace}/serviceaccounts`;
    const roles = "/apis/rbac.authorization.k8s.io/v1";
    await this.api.create(accounts, { metadata: { name } });
    await this.api.create(`${roles}/clusterroles`, { metadata: { name }, rules });
    await this.api.create(`${roles}/clusterrolebindings`, {
      metadata: { name },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name },
      subjects: [{ kind: "ServiceAccount", name, namespace }],
    });
    type Issued = { status: { token: string } };
    const { status } = await this.api.create<Issued>(`${accounts}/${name}/token`, { spec: {} });
    return {
      name,
      namespace,
      token: status.token,
      kubeconfig: this.kubeconfigFor({ token: status.token }, { namespace }),
      revoke: async () => void (await this.api.delete(`${accounts}/${name}`)),
    };
  }

  /** openLine opens a proxy to the API that can be cut, frozen and slowed down, with an administrator's kubeconfig. */
  async openLine(): Promise<Line & { kubeconfig: string }> {
    const line = await openLine(this.url);
    return { ...line, kubeconfig: this.kubeconfigFor(this.#admin, { url: line.url }) };
  }
}
