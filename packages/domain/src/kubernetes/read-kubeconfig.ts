import { decodePem, isObject, type Named, namedOf, textOf } from "./kubeconfig-parts.ts";
import type { KubeconfigAccess } from "./kubernetes-access.ts";
import { readKubeconfigUser } from "./read-kubeconfig-user.ts";

/** ReadKubeconfig is the usable content of a kubeconfig; access is null if there are problems. */
export type ReadKubeconfig = {
  contexts: string[];
  contextName: string | null;
  server: string | null;
  access: KubeconfigAccess | null;
  /** A sentence each: what is wrong and what to do. They contain no secrets. */
  problems: string[];
};

const mostShown = 50;

/**
 * readKubeconfig reads the access to one cluster from a kubeconfig, by the given context or the current one. Settings that a
 * server can't honour are rejected with what to do: it doesn't run the user's programs, can't read the user's files, and
 * always verifies the API server's certificate.
 */
export function readKubeconfig(document: unknown, { context }: { context?: string | undefined } = {}): ReadKubeconfig {
  const none = { contexts: [], contextName: null, server: null, access: null };
  const wrongKind = problemOfKind(document);
  if (!isObject(document) || wrongKind) return { ...none, problems: [wrongKind] };
  const contexts = namedOf(document, "contexts", "context");
  const names = contexts.map(({ name }) => name);
  const found = { ...none, contexts: names.slice(0, mostShown) };
  const picked = pickContext(contexts, context ?? textOf(document, "current-context"), context !== undefined);
  if ("problem" in picked) return { ...found, problems: [picked.problem] };
  const { name: contextName, body } = picked;
  const cluster = pick(namedOf(document, "clusters", "cluster"), textOf(body, "cluster"), "cluster", contextName);
  const user = pick(namedOf(document, "users", "user"), textOf(body, "user"), "user", contextName);
  const place = "problem" in cluster ? { server: null, problems: [cluster.problem] } : readCluster(cluster);
  const signIn = "problem" in user ? { auth: null, problems: [user.problem] } : readKubeconfigUser(user);
  const problems = [...place.problems, ...signIn.problems];
  return {
    contexts: found.contexts,
    contextName,
    server: place.server,
    problems,
    access: problems.length === 0 ? toAccess(place, signIn.auth) : null,
  };
}

function toAccess(place: Place, auth: KubeconfigAccess["auth"] | null): KubeconfigAccess | null {
  if (!("certificateAuthority" in place) || auth === null) return null;
  const { server, certificateAuthority, tlsServerName } = place;
  return { type: "kubeconfig", server, certificateAuthority, tlsServerName, auth };
}

function problemOfKind(document: unknown): string {
  if (!isObject(document)) return "This is not a kubeconfig: it has no fields. Paste the whole file.";
  const kind = textOf(document, "kind");
  if (kind !== "" && kind !== "Config")
    return `This is a ${kind.slice(0, 60)}, not a kubeconfig, which has the kind Config. Paste what kubectl config view --minify --flatten --raw prints.`;
  if (!Array.isArray(document.clusters) || !Array.isArray(document.users) || !Array.isArray(document.contexts))
    return "A kubeconfig has lists of clusters, users and contexts, and at least one of them is missing here. Paste what kubectl config view --minify --flatten --raw prints.";
  return "";
}

function pickContext(contexts: Named[], wanted: string, isNamed: boolean): Named | { problem: string } {
  const names = contexts.map(({ name }) => name);
  if (contexts.length === 0)
    return {
      problem:
        "It has no context, so its cluster and user are unknown. Paste what kubectl config view --minify --flatten --raw prints.",
    };
  const found = contexts.filter(({ name }) => name === wanted);
  if (found.length > 1) return { problem: `It has ${found.length} contexts named ${wanted}. Leave one of them.` };
  const [one] = found;
  if (one) return one;
  const [only] = contexts;
  if (wanted === "" && contexts.length === 1 && only) return only;
  if (wanted === "") return { problem: `It has several contexts and none is current. Choose one of ${listOf(names)}.` };
  return {
    problem: `${isNamed ? "It has no context named" : "Its current context would be"} ${wanted.slice(0, 100)}${isNamed ? "" : ", which it doesn't have"}. Choose one of ${listOf(names)}.`,
  };
}

function pick(all: Named[], name: string, what: string, contextName: string): Named | { problem: string } {
  if (name === "")
    return { problem: `The context ${contextName} names no ${what}. Add it, or choose another context.` };
  const found = all.filter((each) => each.name === name);
  if (found.length > 1) return { problem: `There are ${found.length} ${what}s named ${name}. Leave one of them.` };
  return (
    found[0] ?? {
      problem: `The context ${contextName} names the ${what} ${name}, which isn't in the kubeconfig. Paste what kubectl config view --minify --flatten --raw prints.`,
    }
  );
}

type Place =
  | { server: string | null; problems: string[] }
  | { server: string; certificateAuthority: string | null; tlsServerName: string | null; problems: string[] };

const unread = {
  "certificate-authority":
    "The certificate authority is a file on your machine, which can't be read from here. Run kubectl config view --minify --flatten --raw, and paste what it prints: that has the file inside it.",
  "proxy-url":
    "It goes through a proxy (proxy-url), which isn't supported. Write a server that the controller can reach directly.",
};

function readCluster({ name, body }: Named): Place {
  const server = textOf(body, "server");
  const problems = problemsOfServer(server, name);
  if (body["insecure-skip-tls-verify"] === true)
    problems.push(
      "It sets insecure-skip-tls-verify, so any server at that address would get the credentials. Remove it, and add the authority of the server's certificate as certificate-authority-data.",
    );
  const authority = decodePem(body, "certificate-authority-data", "CERTIFICATE");
  if ("problem" in authority) problems.push(authority.problem);
  for (const [field, problem] of Object.entries(unread)) {
    const isOverridden = field === "certificate-authority" && "pem" in authority && authority.pem !== null;
    if (textOf(body, field) !== "" && !isOverridden) problems.push(problem);
  }
  const tlsServerName = textOf(body, "tls-server-name");
  if (tlsServerName !== "" && !/^[A-Za-z0-9.:_-]{1,253}$/.test(tlsServerName))
    problems.push("tls-server-name is not a host name. Write the name in the server's certificate.");
  if (problems.length > 0 || "problem" in authority)
    return { server: problemsOfServer(server, name).length > 0 ? null : server, problems };
  return { server, certificateAuthority: authority.pem, tlsServerName: tlsServerName || null, problems };
}

function problemsOfServer(server: string, cluster: string): string[] {
  if (server === "")
    return [`The cluster ${cluster} has no server. Write the address of its API, as https://203.0.113.7:6443.`];
  const url = URL.parse(server);
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    url.username ||
    url.password ||
    url.search ||
    url.hash ||
    server.length > 300
  )
    return ["The server is not the address of an API. Write it as https://203.0.113.7:6443."];
  if (url.protocol === "http:")
    return [
      "The server uses plain http, so the credentials could be read on the network. Write its https address; kubectl proxy can't be used from here.",
    ];
  return [];
}

function listOf(names: string[]): string {
  const shown = names.slice(0, mostShown).map((name) => name.slice(0, 100));
  return `${shown.join(", ")}${names.length > mostShown ? ` and ${names.length - mostShown} more` : ""}`;
}
