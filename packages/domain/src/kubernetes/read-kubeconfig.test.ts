import { describe, expect, it } from "vitest";
import { readKubeconfig } from "./read-kubeconfig.ts";

const pem = (label: string) => `-----BEGIN ${label}-----\nMIIB\n-----END ${label}-----\n`;
const certificate = btoa(pem("CERTIFICATE"));
const key = btoa(pem("EC PRIVATE KEY"));
const hidden = "s3cr3t-of-the-test";

const cluster = { server: "https://203.0.113.7:6443", "certificate-authority-data": certificate };
const user = { token: hidden };
const named = (name: string, field: string, body: object) => ({ name, [field]: body });

/** A kubeconfig with one context, with these fields replaced. */
const config = (own: { cluster?: object; user?: object; top?: object } = {}) => ({
  apiVersion: "v1",
  kind: "Config",
  "current-context": "a",
  clusters: [named("one", "cluster", own.cluster ?? cluster)],
  users: [named("me", "user", own.user ?? user)],
  contexts: [named("a", "context", { cluster: "one", user: "me", namespace: "web" })],
  ...own.top,
});

describe("a kubeconfig", () => {
  it.each([
    ["a token", user, { type: "token", token: hidden }],
    [
      "a client certificate",
      { "client-certificate-data": certificate, "client-key-data": key },
      { type: "certificate", certificate: pem("CERTIFICATE"), key: pem("EC PRIVATE KEY") },
    ],
    [
      "a certificate before a token, like the API server",
      { ...user, "client-certificate-data": certificate, "client-key-data": key },
      { type: "certificate", certificate: pem("CERTIFICATE"), key: pem("EC PRIVATE KEY") },
    ],
    ["a password", { username: "ann", password: hidden }, { type: "password", username: "ann", password: hidden }],
  ])("with %s is accepted", (_, user, auth) => {
    expect(readKubeconfig(config({ user }))).toEqual({
      contexts: ["a"],
      contextName: "a",
      server: "https://203.0.113.7:6443",
      problems: [],
      access: {
        type: "kubeconfig",
        server: "https://203.0.113.7:6443",
        certificateAuthority: pem("CERTIFICATE"),
        tlsServerName: null,
        auth,
      },
    });
  });

  it("may omit the certificate authority, and set the name in the server's certificate", () => {
    const { access } = readKubeconfig(
      config({ cluster: { server: "https://api.example/k8s/a", "tls-server-name": "api" } }),
    );
    expect(access).toMatchObject({
      certificateAuthority: null,
      tlsServerName: "api",
      server: "https://api.example/k8s/a",
    });
  });

  it("prefers inline data to a file, if it has both", () => {
    const both = { ...cluster, "certificate-authority": "/home/ann/ca.crt" };
    expect(readKubeconfig(config({ cluster: both })).problems).toEqual([]);
  });
});

describe("the context", () => {
  const contexts = ["a", "b"].map((name) => named(name, "context", { cluster: "one", user: "me" }));
  it("is the current one, or the requested one", () => {
    const two = config({ top: { contexts } });
    expect(readKubeconfig(two).contextName).toBe("a");
    expect(readKubeconfig(two, { context: "b" }).contextName).toBe("b");
  });

  it("is the only one, if none is current", () => {
    expect(readKubeconfig(config({ top: { "current-context": "" } })).contextName).toBe("a");
  });

  it.each([
    [
      { contexts, "current-context": "" },
      undefined,
      "It has several contexts and none is current. Choose one of a, b.",
    ],
    [{ contexts }, "c", "It has no context named c. Choose one of a, b."],
    [
      { contexts, "current-context": "c" },
      undefined,
      "Its current context would be c, which it doesn't have. Choose one of a, b.",
    ],
    [{ contexts: [...contexts, ...contexts] }, undefined, "It has 2 contexts named a. Leave one of them."],
    [{ contexts: [] }, undefined, /^It has no context, so its cluster and user are unknown\./],
  ])("%# must be chosen if it is ambiguous", (top, context, problem) => {
    const read = readKubeconfig(config({ top }), { context });
    expect(read.access).toBeNull();
    expect(read.problems).toEqual([typeof problem === "string" ? problem : expect.stringMatching(problem)]);
  });

  it("must be chosen, without a list of a thousand", () => {
    const many = Array.from({ length: 1_000 }, (_, i) => named(`c${i}`, "context", {}));
    const { contexts, problems } = readKubeconfig(config({ top: { contexts: many, "current-context": "" } }));
    expect(contexts).toHaveLength(50);
    expect(problems[0]).toMatch(/c49 and 950 more\.$/);
  });
});

describe("a kubeconfig that can't be used here is rejected with what to do", () => {
  it.each<[string, object, RegExp]>([
    [
      "a program",
      { user: { exec: { command: "/usr/local/bin/aws", args: [hidden] } } },
      /running a program \(aws\).*manifest/,
    ],
    ["an auth-provider", { user: { "auth-provider": { name: "gcp", config: { token: hidden } } } }, /auth-provider/],
    ["a token in a file", { user: { tokenFile: "/home/ann/token" } }, /tokenFile.*can't be read from here/],
    [
      "a certificate in a file",
      { user: { "client-certificate": "/c.crt", "client-key-data": key } },
      /client-certificate of the user me is a file.*--flatten/,
    ],
    [
      "a key in a file",
      { user: { "client-certificate-data": certificate, "client-key": "/c.key" } },
      /client-key of the user/,
    ],
    [
      "an authority in a file",
      { cluster: { server: cluster.server, "certificate-authority": "/ca" } },
      /--flatten --raw/,
    ],
    [
      "no verification",
      { cluster: { ...cluster, "insecure-skip-tls-verify": true } },
      /insecure-skip-tls-verify.*authority/,
    ],
    ["a proxy", { cluster: { ...cluster, "proxy-url": "socks5://proxy:1080" } }, /proxy-url/],
    ["plain http", { cluster: { server: "http://127.0.0.1:8001" } }, /plain http.*https address/],
    ["no address", { cluster: { server: "ftp://x" } }, /Write it as https/],
    ["a user name in the address", { cluster: { server: `https://ann:${hidden}@x` } }, /Write it as https/],
    ["no server", { cluster: {} }, /has no server/],
    [
      "impersonation",
      { user: { ...user, as: "root", "as-groups": ["x"] } },
      /impersonates another user \(as, as-groups\)/,
    ],
    ["nothing to sign in with", { user: {} }, /nothing to sign in with/],
    ["a certificate alone", { user: { "client-certificate-data": certificate } }, /no client-key-data/],
    ["a key alone", { user: { "client-key-data": key } }, /no client-certificate-data/],
    ["half a password", { user: { username: "ann" } }, /both username and password/],
    ["a token of two lines", { user: { token: `${hidden}\n${hidden}` } }, /blanks or characters/],
    [
      "invalid base64",
      { cluster: { ...cluster, "certificate-authority-data": "$$$" } },
      /isn't|is not the base64 of PEM/,
    ],
    [
      "base64 of other text than PEM",
      { cluster: { ...cluster, "certificate-authority-data": btoa("hello") } },
      /not the base64 of PEM/,
    ],
    [
      "a certificate instead of a key",
      { user: { "client-certificate-data": certificate, "client-key-data": certificate } },
      /client-key-data is not the base64 of PEM text \(-----BEGIN PRIVATE KEY/,
    ],
    ["an invalid server name", { cluster: { ...cluster, "tls-server-name": "a b" } }, /tls-server-name/],
    ["a cluster that isn't there", { top: { clusters: [] } }, /names the cluster one, which isn't in the kubeconfig/],
    ["a user that isn't there", { top: { users: [] } }, /names the user me, which isn't in the kubeconfig/],
    [
      "two users with one name",
      { top: { users: [named("me", "user", user), named("me", "user", {})] } },
      /2 users named me/,
    ],
    [
      "a context without a user",
      { top: { contexts: [named("a", "context", { cluster: "one" })] } },
      /The context a names no user/,
    ],
    ["another kind", { top: { kind: "Secret" } }, /This is a Secret, not a kubeconfig/],
    ["no lists", { top: { users: undefined } }, /lists of clusters, users and contexts/],
  ])("%s", (_, own, problem) => {
    const read = readKubeconfig(config(own));
    expect(read.access).toBeNull();
    expect(read.problems.join(" ")).toMatch(problem);
    expect(read.problems.join(" ")).toMatch(/\.$/);
    expect(JSON.stringify(read.problems)).not.toContain(hidden);
  });

  it("reports all problems at once", () => {
    const { problems, server } = readKubeconfig(
      config({ cluster: { ...cluster, "proxy-url": "http://p" }, user: { exec: { command: "aws" } } }),
    );
    expect(problems).toHaveLength(2);
    expect(server).toBe(cluster.server);
  });

  it.each([null, undefined, "text", 7, [], [config()], true])("%j is not a kubeconfig", (document) => {
    expect(readKubeconfig(document)).toMatchObject({
      access: null,
      problems: [expect.stringMatching(/Paste the whole file/)],
    });
  });

  it.each([
    { clusters: [null, 1, "x", { name: 3 }], users: [[]], contexts: [{ name: "a" }] },
    {
      clusters: [{ name: "one", cluster: "x" }],
      users: [{ name: "me", user: null }],
      contexts: [{ name: "a", context: [] }],
    },
    { "current-context": { a: 1 } },
    JSON.parse('{"__proto__": {"kind": "Config"}, "clusters": [], "users": [], "contexts": []}'),
  ])("fields of the wrong type are rejected without a crash: %#", (top) => {
    const read = readKubeconfig({ ...config(), ...top });
    if (read.access === null) expect(read.problems.length).toBeGreaterThan(0);
  });
});
