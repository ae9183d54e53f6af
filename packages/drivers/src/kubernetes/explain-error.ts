import type { KubernetesAccess } from "@fairlead/domain";
import { KubernetesError } from "./error.ts";
import { NotInCluster } from "./in-cluster.ts";
import { KubernetesRefused } from "./kubernetes-refused.ts";

const longest = 300;

/** Why a server can't be reached, by the code that the system has for it. It may be over by itself. */
const ways: Record<string, string> = {
  ENOTFOUND: "nobody knows its name; check the address, and the DNS that the controller asks",
  EAI_AGAIN: "its name can't be asked for now; check the DNS that the controller asks",
  ECONNREFUSED: "nobody listens there; check that the API runs, and its address and port",
  ECONNRESET: "it ended the connection; check what is between the controller and the API",
  EPIPE: "it ended the connection; check what is between the controller and the API",
  UND_ERR_SOCKET: "it ended the connection; check what is between the controller and the API",
  EHOSTUNREACH: "no way leads there; check the address, and the network between the controller and the API",
  ENETUNREACH: "no way leads there; check the address, and the network between the controller and the API",
  ETIMEDOUT: "it doesn't answer in time; check the address, and firewalls on the way",
  UND_ERR_CONNECT_TIMEOUT: "it doesn't answer in time; check the address, and firewalls on the way",
  UND_ERR_HEADERS_TIMEOUT: "it takes the request and answers nothing in time; check how busy the API is",
  UND_ERR_BODY_TIMEOUT: "it stops in the middle of an answer; check how busy the API is",
};

const authority =
  "its certificate isn't signed by the authority that was given; take certificate-authority-data from a kubeconfig of this cluster";
/** What is wrong with a certificate: nothing was sent, and somebody has to change something. */
const distrusted: Record<string, string> = {
  CERT_HAS_EXPIRED: "its certificate has expired; renew the API's certificate",
  CERT_NOT_YET_VALID: "its certificate isn't valid yet; set the clocks of both machines right",
  ERR_TLS_CERT_ALTNAME_INVALID:
    "its certificate is made out to other names than that; use one of those as the server, or set tls-server-name",
  DEPTH_ZERO_SELF_SIGNED_CERT: authority,
  SELF_SIGNED_CERT_IN_CHAIN: authority,
  UNABLE_TO_GET_ISSUER_CERT: authority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: authority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: authority,
  CERT_SIGNATURE_FAILURE: authority,
  ERR_SSL_WRONG_VERSION_NUMBER: "it doesn't speak TLS there; give the https address and port of the API",
  ERR_SSL_PACKET_LENGTH_TOO_LONG: "it doesn't speak TLS there; give the https address and port of the API",
  EPROTO: "it doesn't agree on TLS with us; give the https address and port of the API",
};

/** What is asked is named as an action: "list pods". */
type Asked = { what: string; access: KubernetesAccess };

/**
 * explainKubernetesError says what came of asking an API in a sentence that names the cure: KubernetesRefused for what
 * somebody has to change. The cause isn't kept, which may hold the request.
 */
export function explainKubernetesError(error: unknown, asked: Asked): Error {
  if (error instanceof KubernetesRefused) return error;
  if (error instanceof NotInCluster) return new KubernetesRefused(error.message);
  const where = whereIs(asked.access);
  if (error instanceof KubernetesError) return explainAnswer(error, where, asked);
  const causes = [...causesOf(error)];
  const codes = causes.map(codeOf);
  for (const code of codes) {
    const why = Object.hasOwn(distrusted, code) ? distrusted[code] : undefined;
    if (why) return new KubernetesRefused(`${where} isn't trusted: ${why} (${code})`);
    if (/^ERR_SSL_.*(ALERT|CERTIFICATE)/.test(code))
      return new KubernetesRefused(
        `${where} doesn't take our client certificate; have a new one made, and give that kubeconfig (${code})`,
      );
    if (/^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO)/.test(code))
      return new KubernetesRefused(`${where} isn't trusted: something is wrong with its certificate (${code})`);
  }
  for (const code of codes) {
    const way = Object.hasOwn(ways, code) ? ways[code] : undefined;
    if (way) return new Error(`${where} can't be reached: ${way} (${code})`);
  }
  if (causes.some((each) => each instanceof Error && (each.name === "TimeoutError" || each.name === "AbortError")))
    return new Error(`${where} can't be reached: it doesn't answer in time; check how busy the API is`);
  if (causes.some((each) => each instanceof SyntaxError))
    return new KubernetesRefused(`${where} doesn't answer as a Kubernetes API does; check the address and its path`);
  return new Error(`${where} can't be reached: the connection fails`);
}

function whereIs(access: KubernetesAccess): string {
  if (access.type === "in-cluster") return "The API of the cluster around the controller";
  return `The API at ${URL.parse(access.server)?.host ?? ""}`;
}

function explainAnswer({ status, reason, message }: KubernetesError, where: string, { what, access }: Asked): Error {
  // Without a reason of its own it isn't the form in which a Kubernetes API refuses: whatever else answers isn't repeated.
  const said = reason.startsWith("Http") ? "" : withoutSecrets(message, access);
  const tail = said ? `: ${said}` : "";
  if (status === 401)
    return new KubernetesRefused(
      `${where} doesn't know who asks: the token or certificate has ended, was revoked, or is of another cluster. Give a kubeconfig with a valid one (401)`,
    );
  if (status === 403)
    return new KubernetesRefused(`${where} doesn't allow to ${what}${tail}. Apply the manifest that grants it (403)`);
  if (status === 404)
    return new KubernetesRefused(`${where} has no way to ${what}; check the address and its path${tail} (404)`);
  if (status === 429) return new Error(`${where} asks to slow down (429)`);
  if (status >= 500) return new Error(`${where} fails to ${what}${tail} (${status})`);
  if (status < 400)
    return new KubernetesRefused(
      `${where} redirects elsewhere, which isn't followed; give the address of the API itself (${status})`,
    );
  return new KubernetesRefused(`${where} refuses to ${what}${tail} (${status})`);
}

/** One line, without what was sent, whatever the server made of it. */
function withoutSecrets(text: string, access: KubernetesAccess): string {
  return secretsOf(access)
    .reduce((rest, secret) => rest.replaceAll(secret, "[hidden]"), text)
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim()
    .slice(0, longest)
    .replace(/\.$/, "");
}

function secretsOf(access: KubernetesAccess): string[] {
  if (access.type === "in-cluster") return [];
  const { auth } = access;
  switch (auth.type) {
    case "token":
      return [auth.token];
    case "password":
      return [auth.password, Buffer.from(`${auth.username}:${auth.password}`).toString("base64")];
    case "certificate":
      return [];
    default:
      return auth satisfies never;
  }
}

const mostCauses = 20;

function* causesOf(error: unknown): Generator<unknown> {
  const waiting = [error];
  for (let count = 0; waiting.length > 0 && count < mostCauses; count++) {
    const next = waiting.shift();
    yield next;
    if (next instanceof AggregateError) waiting.push(...next.errors);
    if (next instanceof Error && next.cause !== undefined) waiting.push(next.cause);
  }
}

function codeOf(error: unknown): string {
  return typeof error === "object" && error !== null && "code" in error && typeof error.code === "string"
    ? error.code
    : "";
}
