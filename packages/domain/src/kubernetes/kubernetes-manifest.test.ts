import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { kubeconfigCommands, kubernetesManifest } from "./kubernetes-manifest.ts";
import { kubernetesPermissions } from "./kubernetes-permissions.ts";

type Rule = { apiGroups: string[]; resources: string[]; verbs: string[] };
type Document = { kind: string; metadata: { name: string; namespace?: string }; rules?: Rule[] };

const documents = () => parseAllDocuments(kubernetesManifest()).map((each) => each.toJS() as Document);

describe("the manifest", () => {
  it("has all objects in the order of kubectl apply: the account, its permissions and its token", () => {
    expect(documents()).toMatchSnapshot();
  });

  it("grants exactly what is checked and shown", () => {
    const { rules = [] } = documents().find((each) => each.kind === "ClusterRole") ?? {};
    expect(rules.map(({ apiGroups: [group], resources: [resource], verbs }) => ({ group, resource, verbs }))).toEqual(
      kubernetesPermissions.map(({ group, resource, verbs }) => ({ group, resource, verbs: [...verbs] })),
    );
  });

  it("grants no Secrets, nothing on leases, and no wildcard", () => {
    expect(kubernetesManifest()).not.toMatch(/\*|"secrets"|leases|escalate|impersonate/);
  });
});

describe("the commands", () => {
  it("find the server, and create a kubeconfig with the account's token", () => {
    const [find = "", make = ""] = kubeconfigCommands(null);
    expect(find).toBe("SERVER=$(kubectl config view --minify -o jsonpath='{.clusters[0].cluster.server}')");
    const template = /-o go-template='(.*)' > fairlead\.kubeconfig$/.exec(make)?.[1] ?? "";
    const made = template
      .replace(`'"$SERVER"'`, "https://203.0.113.7:6443")
      .replace('{{index .data "ca.crt"}}', "Y2E=")
      .replace("{{.data.token | base64decode}}", "t0ken");
    expect(JSON.parse(made)).toMatchObject({
      kind: "Config",
      "current-context": "fairlead",
      clusters: [{ cluster: { server: "https://203.0.113.7:6443", "certificate-authority-data": "Y2E=" } }],
      users: [{ user: { token: "t0ken" } }],
    });
  });

  it("use the known server, unless its URL isn't safe in a shell", () => {
    expect(kubeconfigCommands("https://api.example:6443/k8s")[0]).toBe("SERVER='https://api.example:6443/k8s'");
    expect(kubeconfigCommands("https://x/';rm -rf ~;'")[0]).toMatch(/^SERVER=\$\(kubectl/);
  });
});
