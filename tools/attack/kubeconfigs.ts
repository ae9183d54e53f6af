import { createTestCertificate, writeTestKubeconfig } from "@fairlead/services/testing";
import type { Results } from "./results.ts";
import type { Target } from "./target.ts";

type Parts = { clusters: { cluster: Record<string, unknown> }[]; users: { user: Record<string, unknown> }[] };

const exec = { apiVersion: "client.authentication.k8s.io/v1", command: "sh", args: ["-c", "touch /tmp/owned"] };

/** attackKubeconfigs attaches clusters with kubeconfigs that would run programs, read files, or give away credentials. */
export async function attackKubeconfigs(target: Target, results: Results): Promise<void> {
  const { certificate } = await createTestCertificate();
  const text = writeTestKubeconfig(certificate, { token: "token" });
  const changed = (change: { cluster?: object; user?: object; without?: string }) => {
    const parts = JSON.parse(text) as Parts;
    const [{ cluster }, { user }] = [parts.clusters[0] ?? { cluster: {} }, parts.users[0] ?? { user: {} }];
    if (change.user) delete user.token;
    if (change.without) delete cluster[change.without];
    Object.assign(cluster, change.cluster);
    Object.assign(user, change.user);
    return JSON.stringify(parts);
  };
  let clusters = 0;
  const attach = async (kubeconfig: string) => {
    const body = { name: `attached-${++clusters}`, kind: "kubernetes", kubernetes: { kubeconfig } };
    const preview = { method: "POST", body: { kubeconfig } };
    const [made, previewed] = [
      await target.api("/clusters", { method: "POST", body }),
      await target.api("/clusters/kubeconfig/preview", preview),
    ];
    const { problems = [] } = JSON.parse(previewed.text) as { problems?: string[] };
    return { status: made.status, problems, text: previewed.text + made.text };
  };
  const authority = "certificate-authority-data";
  for (const [what, kubeconfig] of [
    ["runs a program (exec)", changed({ user: { exec } })],
    ["runs a program (exec) besides a token", changed({ user: { token: "token", exec } })],
    ["uses an auth-provider", changed({ user: { "auth-provider": { name: "gcp", config: { "cmd-path": "sh" } } } })],
    ["reads a token from a file", changed({ user: { tokenFile: "/etc/shadow" } })],
    [
      "reads a certificate from a file",
      changed({ user: { "client-certificate": "/etc/shadow", "client-key": "/etc/shadow" } }),
    ],
    [
      "reads an authority from a file",
      changed({ cluster: { "certificate-authority": "/etc/shadow" }, without: authority }),
    ],
    ["impersonates another user", changed({ user: { token: "token", as: "system:admin" } })],
    ["skips the check of the certificate", changed({ cluster: { "insecure-skip-tls-verify": true } })],
    ["goes through a proxy", changed({ cluster: { "proxy-url": "http://127.0.0.1:1" } })],
    ["uses HTTP on loopback", changed({ cluster: { server: "http://127.0.0.1:8001" } })],
    ["uses the metadata service of a cloud", changed({ cluster: { server: "http://169.254.169.254/latest" } })],
    ["reads a file as its server", changed({ cluster: { server: "file:///etc/passwd" } })],
    ["has credentials in its server", changed({ cluster: { server: "https://a:b@203.0.113.7:6443" } })],
    ["expands to gigabytes (YAML aliases)", bomb()],
    ["has a tag of another language", "!!js/function 'function () { return 1 }'"],
  ] as const)
    await results.check(`kubeconfig that ${what}`, async () => {
      const { status, problems, text } = await attach(kubeconfig);
      const isShown = /root:|\$6\$/.test(text);
      return {
        refused: status === 422 && problems.length > 0 && !isShown,
        seen: `${status}, ${problems.length} problem`,
      };
    });
  await results.check("the token of a stored kubeconfig is returned", async () => {
    const secret = "a-token-that-stays-hidden";
    const { status, text } = await attach(writeTestKubeconfig(certificate, { token: secret }));
    const listed = await target.api("/clusters?limit=200");
    const isHidden = ![text, listed.text].some((each) => each.includes(secret) || each.includes(btoa(secret)));
    return { refused: status === 201 && isHidden, seen: `${status}, not in any answer` };
  });
}

/** bomb is a small document that is a gigabyte once its aliases are expanded. */
function bomb(): string {
  const lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"];
  for (let at = 1; at < 10; at++)
    lines.push(
      `a${at}: &a${at} [${Array(9)
        .fill(`*a${at - 1}`)
        .join(", ")}]`,
    );
  return lines.join("\n");
}
