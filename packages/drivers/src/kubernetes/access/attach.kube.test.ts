import { type KubeconfigAccess, kubernetesManifest, readKubeconfig } from "@fairlead/domain/kubernetes";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import {
  checkPermissions,
  connect,
  explainKubernetesError,
  type KubernetesCalls,
  KubernetesRefused,
  readVersion,
} from "../index.ts";
import { issueUser } from "../testing/certificates.ts";
import { makeOtherAuthority } from "../testing/https-server.ts";
import { type KubernetesObject, manifestRules, sharedControlPlane } from "../testing/index.ts";
import { until } from "../testing/until.ts";

const controlPlane = sharedControlPlane();
const signal = AbortSignal.timeout(110_000);
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Reads a kubeconfig as pasted by a user. */
function read(kubeconfig: string): KubeconfigAccess {
  const { access, problems } = readKubeconfig(parse(kubeconfig));
  expect(problems).toEqual([]);
  if (!access) throw new Error("the kubeconfig can't be used");
  return access;
}

function open(access: KubeconfigAccess): KubernetesCalls {
  const { calls, close } = connect(access);
  closing.push(close);
  return calls;
}

const missingOf = async (access: KubeconfigAccess) =>
  (await checkPermissions(open(access), signal))
    .filter(({ granted }) => !granted)
    .map(({ verb, resource }) => `${verb} ${resource}`);

async function errorOf(access: KubeconfigAccess): Promise<{ isRefused: boolean; message: string }> {
  const error = await readVersion(open(access), signal).then(
    () => new Error("no error"),
    (error: unknown) => explainKubernetesError(error, { what: "read its version", access }),
  );
  return { isRefused: error instanceof KubernetesRefused, message: error.message };
}

describe("the permissions that a real API returns", () => {
  it("are complete for an administrator, by token and by certificate", async () => {
    const access = read(controlPlane.kubeconfig);
    expect(await readVersion(open(access), signal)).toMatch(/^v1\.\d+\.\d+/);
    expect(await missingOf(access)).toEqual([]);
    const user = await controlPlane.createUser("ann", ["system:masters"]);
    expect(await missingOf(read(controlPlane.kubeconfigFor(user)))).toEqual([]);
  });

  it("are those granted to a restricted account", async () => {
    const namespace = await controlPlane.createNamespace();
    const less = manifestRules
      .filter(({ apiGroups: [group], resources: [resource] }) => group !== "" || resource !== "nodes")
      .map((rule) =>
        rule.resources[0] === "services" ? { ...rule, verbs: rule.verbs.filter((verb) => verb !== "delete") } : rule,
      );
    const account = await controlPlane.createServiceAccount(namespace, less);
    expect(await missingOf(read(account.kubeconfig))).toEqual([
      "get nodes",
      "list nodes",
      "watch nodes",
      "delete services",
    ]);
  });

  it("are none for a user without roles", async () => {
    const user = await controlPlane.createUser("nobody-in-particular");
    const seen = await checkPermissions(open(read(controlPlane.kubeconfigFor(user))), signal);
    expect(seen.length).toBeGreaterThan(30);
    expect(seen.every((each) => !each.granted)).toBe(true);
  });
});

describe("the manifest", () => {
  const places: Record<string, string> = {
    Namespace: "/api/v1/namespaces",
    ServiceAccount: "/api/v1/namespaces/fairlead/serviceaccounts",
    ClusterRole: "/apis/rbac.authorization.k8s.io/v1/clusterroles",
    ClusterRoleBinding: "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
    Secret: "/api/v1/namespaces/fairlead/secrets",
  };
  const objects = parseAllDocuments(kubernetesManifest()).map((each) => each.toJS() as KubernetesObject);
  afterAll(async () => {
    for (const { kind = "", metadata } of objects.toReversed())
      await controlPlane.api.delete(`${places[kind]}/${metadata.name}`);
  });

  it("is accepted by a real API, and creates an account with all needed permissions that can't read Secrets", async () => {
    for (const object of objects) await controlPlane.api.create(places[object.kind ?? ""] ?? "", object);
    type Secret = KubernetesObject & { data?: { token?: string } };
    let token = "";
    await until(
      "the token exists",
      async () => {
        const { data } = await controlPlane.api.get<Secret>(`${places.Secret}/fairlead-token`);
        token = Buffer.from(data?.token ?? "", "base64").toString();
        return token !== "";
      },
      30_000,
    );
    const access = read(controlPlane.kubeconfigFor({ token }));
    expect(await missingOf(access)).toEqual([]);
    const own = controlPlane.apiFor({ token });
    await expect(own.get("/api/v1/secrets")).rejects.toThrow(/403/);
  });
});

describe("the error of an API that rejects access", () => {
  it("explains a deleted account", async () => {
    const account = await controlPlane.createServiceAccount();
    const access = read(account.kubeconfig);
    expect(await readVersion(open(access), signal)).toMatch(/^v1/);
    await account.revoke();
    await until("the token is rejected", async () => (await errorOf(access)).message !== "no error", 30_000);
    expect(await errorOf(access)).toEqual({
      isRefused: true,
      message: expect.stringMatching(/rejects the credentials.*revoked.*\(401\)/),
    });
  });

  it("explains an expired certificate", async () => {
    const ended = await issueUser(controlPlane.access.authority, "ann", ["system:masters"], -3_600_000);
    const answer = await errorOf(read(controlPlane.kubeconfigFor(ended)));
    expect(answer).toEqual({
      isRefused: true,
      message: expect.stringMatching(/valid ones \(401\)|client certificate/),
    });
  });

  it("explains a token of another cluster", async () => {
    const answer = await errorOf(read(controlPlane.kubeconfigFor({ token: "eyJhbGciOiJSUzI1NiJ9.e30.c2lnbmF0dXJl" })));
    expect(answer).toMatchObject({ isRefused: true, message: expect.stringContaining("(401)") });
  });

  it("explains an untrusted CA", async () => {
    const access = { ...read(controlPlane.kubeconfig), certificateAuthority: await makeOtherAuthority() };
    expect(await errorOf(access)).toMatchObject({
      isRefused: true,
      message: expect.stringContaining("certificate-authority-data"),
    });
  });

  it("explains a server name that isn't in the certificate", async () => {
    const access = { ...read(controlPlane.kubeconfig), tlsServerName: "api.example" };
    expect(await errorOf(access)).toMatchObject({
      isRefused: true,
      message: expect.stringContaining("issued for other names"),
    });
    expect(await readVersion(open({ ...access, tlsServerName: "kubernetes.default.svc" }), signal)).toMatch(/^v1/);
  });

  it("explains a lost connection, which later works again", async () => {
    const line = await controlPlane.openLine();
    closing.push(line.stop);
    const access = read(line.kubeconfig);
    expect(await readVersion(open(access), signal)).toMatch(/^v1/);
    line.cut();
    expect(await errorOf(access)).toMatchObject({
      isRefused: false,
      message: expect.stringContaining("can't be reached"),
    });
    line.mend();
    expect(await readVersion(open(access), signal)).toMatch(/^v1/);
  });
});
