import type { KubernetesAccess } from "@fairlead/domain/kubernetes";
import { type HttpMethod, type HttpOptions, type HttpResponse, openHttp, readText } from "@fairlead/http";
import { KubernetesError, readStatus } from "./error.ts";
import { type InCluster, type Reached, reachInCluster } from "./in-cluster.ts";

/** Transport sends requests to one apiserver over persistent connections. */
export type Transport = {
  /** The path has the query, and is below the path of the server's address. */
  send: (path: string, request: TransportRequest) => Promise<HttpResponse>;
  close: () => Promise<void>;
};

export type TransportRequest = {
  method: HttpMethod;
  body?: { type: string; text: string } | undefined;
  signal?: AbortSignal | undefined;
  /** Limit for the whole response; for a stream, until its first byte. */
  timeoutMs?: number | undefined;
  isStream?: boolean;
};

const responseMs = 15_000;
const connectMs = 3_000;
/** Limits how much of the apiserver one busy exposure can use. */
const connections = 24;

/** Limit for a response; a page of a list is far below it. */
const maxBytes = 64 * 1024 * 1024;

/** readTextOf reads a whole response, and throws a refusal as a KubernetesError. */
export async function readTextOf({ status, headers, body }: HttpResponse): Promise<string> {
  const text = await readText(body, maxBytes);
  if (status >= 300) throw new KubernetesError(readStatus(status, headers, text));
  return text;
}

/** openTransport sends nothing yet. */
export function openTransport(access: KubernetesAccess, inCluster: InCluster | null): Transport {
  return access.type === "in-cluster" ? openInCluster(inCluster) : openFixed(access);
}

function open(tls: HttpOptions["tls"], reach: () => Promise<Reached>): Transport {
  const client = openHttp({ tls: tls ?? {}, connectTimeoutMs: connectMs, maxConnections: connections });
  return {
    async send(path, { method, body, signal, timeoutMs = responseMs, isStream = false }) {
      const { server, authorization } = await reach();
      return client.send({
        url: new URL(`${server.replace(/\/$/, "")}${path}`),
        method,
        headers: {
          accept: "application/json",
          ...(authorization ? { authorization } : {}),
          ...(body ? { "content-type": body.type } : {}),
        },
        body: body?.text ?? null,
        firstByteTimeoutMs: timeoutMs,
        // A stream outlives the time for its first byte.
        ...(isStream ? {} : { timeoutMs }),
        signal,
      });
    },
    close: client.close,
  };
}

function openFixed(access: Extract<KubernetesAccess, { type: "kubeconfig" }>): Transport {
  const { server, certificateAuthority, tlsServerName, auth } = access;
  const tls = {
    ...(certificateAuthority === null ? {} : { ca: certificateAuthority }),
    ...(tlsServerName === null ? {} : { servername: tlsServerName }),
    ...(auth.type === "certificate" ? { cert: auth.certificate, key: auth.key } : {}),
  };
  const reached = { server, authorization: authorizationOf(auth) };
  return open(tls, async () => reached);
}

function authorizationOf(auth: Extract<KubernetesAccess, { type: "kubeconfig" }>["auth"]): string | null {
  switch (auth.type) {
    case "token":
      return `Bearer ${auth.token}`;
    case "password":
      return `Basic ${Buffer.from(`${auth.username}:${auth.password}`).toString("base64")}`;
    case "certificate":
      return null;
    default:
      return auth satisfies never;
  }
}

function openInCluster(inCluster: InCluster | null): Transport {
  const reached = reachInCluster(inCluster);
  let transport: Promise<Transport> | null = null;
  return {
    async send(path, request) {
      transport ??= reached.certificateAuthority().then((ca) => open({ ca }, reached.reach));
      const opened = await transport.catch((error: unknown) => {
        transport = null;
        throw error;
      });
      return opened.send(path, request);
    },
    async close() {
      await (await transport?.catch(() => null))?.close();
    },
  };
}
