import type { KubernetesAccess } from "@fairlead/domain/kubernetes";
import { EndlessList, ResponseTooLong } from "@fairlead/http";
import { KubernetesError } from "../api/error.ts";
import { NotInCluster } from "../api/in-cluster.ts";
import { KubernetesRefused } from "./kubernetes-refused.ts";

const longest = 300;

/** Reasons why a server can't be reached, by error code. They may be temporary. */
const ways: Record<string, string> = {
  ENOTFOUND: "its name can't be resolved; check the address, and the controller's DNS",
  EAI_AGAIN: "its name can't be resolved for now; check the controller's DNS",
  ECONNREFUSED: "the connection was refused; check that the API runs, and its address and port",
  ECONNRESET: "it closed the connection; check what is between the controller and the API",
  EPIPE: "it closed the connection; check what is between the controller and the API",
  UND_ERR_SOCKET: "it closed the connection; check what is between the controller and the API",
  EHOSTUNREACH: "there is no route to it; check the address, and the network between the controller and the API",
  ENETUNREACH: "there is no route to it; check the address, and the network between the controller and the API",
  ETIMEDOUT: "it doesn't respond in time; check the address, and firewalls on the way",
  UND_ERR_CONNECT_TIMEOUT: "it doesn't respond in time; check the address, and firewalls on the way",
  UND_ERR_HEADERS_TIMEOUT: "it accepts requests but doesn't respond in time; check how busy the API is",
  UND_ERR_BODY_TIMEOUT: "it stopped in the middle of a response; check how busy the API is",
};

const authority =
  "its certificate isn't signed by the given authority; use certificate-authority-data from a kubeconfig of this cluster";
/** Certificate and TLS errors: no request was sent, and an operator must change something. */
const distrusted: Record<string, string> = {
  CERT_HAS_EXPIRED: "its certificate has expired; renew the API's certificate",
  CERT_NOT_YET_VALID: "its certificate isn't valid yet; correct the clocks of both machines",
  ERR_TLS_CERT_ALTNAME_INVALID:
    "its certificate is issued for other names; use one of them as the server, or set tls-server-name",
  DEPTH_ZERO_SELF_SIGNED_CERT: authority,
  SELF_SIGNED_CERT_IN_CHAIN: authority,
  UNABLE_TO_GET_ISSUER_CERT: authority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: authority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: authority,
  CERT_SIGNATURE_FAILURE: authority,
  ERR_SSL_WRONG_VERSION_NUMBER: "it doesn't use TLS; set the https address and port of the API",
  ERR_SSL_PACKET_LENGTH_TOO_LONG: "it doesn't use TLS; set the https address and port of the API",
  EPROTO: "the TLS handshake failed; set the https address and port of the API",
};

/** The requested action is a verb and a noun, such as "list pods". */
type Requested = { what: string; access: KubernetesAccess };

/**
 * explainKubernetesError describes a failed request in one sentence with its fix: as KubernetesRefused if an operator must
 * change something. The cause isn't kept, because it may contain the request.
 */
export function explainKubernetesError(error: unknown, requested: Requested): Error {
  if (error instanceof KubernetesRefused) return error;
  if (error instanceof NotInCluster) return new KubernetesRefused(error.message);
  const where = whereIs(requested.access);
  if (error instanceof KubernetesError) return explainResponse(error, where, requested);
  const causes = [...causesOf(error)];
  const codes = causes.map(codeOf);
  for (const code of codes) {
    const why = Object.hasOwn(distrusted, code) ? distrusted[code] : undefined;
    if (why) return new KubernetesRefused(`${where} isn't trusted: ${why} (${code})`);
    if (/^ERR_SSL_.*(ALERT|CERTIFICATE)/.test(code))
      return new KubernetesRefused(
        `${where} rejects the client certificate; issue a new one, and set its kubeconfig (${code})`,
      );
    if (/^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO)/.test(code))
      return new KubernetesRefused(`${where} isn't trusted: something is wrong with its certificate (${code})`);
  }
  for (const code of codes) {
    const way = Object.hasOwn(ways, code) ? ways[code] : undefined;
    if (way) return new Error(`${where} can't be reached: ${way} (${code})`);
  }
  if (causes.some((each) => each instanceof Error && (each.name === "TimeoutError" || each.name === "AbortError")))
    return new Error(`${where} can't be reached: it doesn't respond in time; check how busy the API is`);
  const endless = causes.find((each) => each instanceof ResponseTooLong || each instanceof EndlessList);
  if (endless)
    return new KubernetesRefused(
      `${where} doesn't respond like a Kubernetes API: ${endless.message}; check the address, and proxies in front of it`,
    );
  if (causes.some((each) => each instanceof SyntaxError))
    return new KubernetesRefused(`${where} doesn't respond like a Kubernetes API; check the address and its path`);
  return new Error(`${where} can't be reached: the connection fails`);
}

function whereIs(access: KubernetesAccess): string {
  if (access.type === "in-cluster") return "The API of the controller's own cluster";
  return `The API at ${URL.parse(access.server)?.host ?? ""}`;
}

/**
 * detailOf returns an apiserver's reason and message for a refusal. Without a reason in the body it isn't a Kubernetes Status, but any other
 * server's response, which isn't shown.
 */
export function detailOf(
  { reason, message }: Pick<KubernetesError, "reason" | "message">,
  access: KubernetesAccess,
): string {
  return reason.startsWith("Http") ? "" : withoutSecrets(message, access);
}

function explainResponse(
  { status, reason, message }: KubernetesError,
  where: string,
  { what, access }: Requested,
): Error {
  const detail = detailOf({ reason, message }, access);
  const tail = detail ? `: ${detail}` : "";
  if (status === 401)
    return new KubernetesRefused(
      `${where} rejects the credentials: the token or certificate has expired, was revoked, or belongs to another cluster. Set a kubeconfig with valid ones (401)`,
    );
  if (status === 403)
    return new KubernetesRefused(
      `${where} doesn't allow Fairlead to ${what}${tail}. Apply the manifest that grants it (403)`,
    );
  if (status === 404)
    return new KubernetesRefused(`${where} has no way to ${what}; check the address and its path${tail} (404)`);
  if (status === 429) return new Error(`${where} is throttling requests (429)`);
  if (status >= 500) return new Error(`${where} fails to ${what}${tail} (${status})`);
  if (status < 400)
    return new KubernetesRefused(
      `${where} redirects elsewhere, which isn't followed; set the address of the API itself (${status})`,
    );
  return new KubernetesRefused(`${where} refuses to ${what}${tail} (${status})`);
}

/** withoutSecrets returns one line without the credentials, which a server may repeat. */
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
