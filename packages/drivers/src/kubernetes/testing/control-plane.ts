import { randomBytes } from "node:crypto";
import { type Line, openLine } from "../../testing/line.ts";
import { issueUser, type Pem } from "./certificates.ts";
import { type Credential, writeKubeconfig } from "./kubeconfig.ts";
import { KubernetesApi } from "./kubernetes-api.ts";

/** Access is all that one has to know of a control plane to be its administrator, and to make users of it. */
export type Access = { url: string; authority: Pem; adminToken: string };

export type PolicyRule = { apiGroups: string[]; resources: string[]; verbs: string[] };

/** ServiceAccount is somebody of the cluster's own, as people make one for us. */
export type ServiceAccount = {
  name: string;
  namespace: string;
  token: string;
  kubeconfig: string;
  /** Deletes it, and its token with it. The API server remembers a token that was right for ten seconds more. */
  revoke: () => Promise<void>;
};

const everything: PolicyRule[] = [{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }];

/** ControlPlane is a real Kubernetes API as its users have it: nothing here harms others that use it too. */
export class ControlPlane {
  readonly url: string;
  /** The certificate of its authority. */
  readonly ca: string;
  /** An administrator's. */
  readonly kubeconfig: string;
  /** Asks as the administrator. */
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

  /** kubeconfigFor writes a file for whoever has the credential; by another way than straight, where that is named. */
  kubeconfigFor(credential: Credential, { url = this.url, namespace = "default" } = {}): string {
    return writeKubeconfig(url, this.ca, credential, namespace);
  }

  apiFor(credential: Credential, url = this.url): KubernetesApi {
    return new KubernetesApi(url, this.ca, credential);
  }

  /** createUser makes the certificate of a user, who may do what roles let it do, or its groups: system:masters all. */
  createUser(user: string, groups: readonly string[] = []): Promise<Pem> {
    return issueUser(this.access.authority, user, groups);
  }

  /** createNamespace makes one that nobody else has, and answers its name. */
  async createNamespace(prefix = "test"): Promise<string> {
    const name = `${prefix}-${randomBytes(4).toString("hex")}`;
    await this.api.create("/api/v1/namespaces", { metadata: { name } });
    return name;
  }

  /** createServiceAccount makes one that may do this in all namespaces: everything, unless told less. */
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

  /** openLine leads to the API by a line that one may cut, freeze and slow down, with an administrator's file for it. */
  async openLine(): Promise<Line & { kubeconfig: string }> {
    const line = await openLine(this.url);
    return { ...line, kubeconfig: this.kubeconfigFor(this.#admin, { url: line.url }) };
  }
}
