import type { Readable } from "node:stream";
import type { KubernetesAccess } from "@fairlead/domain/kubernetes";
import { type HttpOptions, type HttpResponse, openHttp, readText } from "@fairlead/http";
import type { Dispatcher } from "undici";
import { KubernetesError, readStatus } from "./error.ts";
import { type InCluster, type Reached, reachInCluster } from "./in-cluster.ts";
import type { KubernetesObject } from "./objects.ts";

/** The field manager of all fields that Fairlead applies. */
export const fieldManager = "fairlead";

export type RequestOptions = {
  query?: Record<string, string | number | boolean | undefined>;
  signal?: AbortSignal;
  /** Limit for the whole response; for a stream, until its first byte. */
  timeoutMs?: number;
};

/** KubernetesApi is a client of one apiserver, with persistent connections. */
export type KubernetesApi = {
  get<T>(path: string, options?: RequestOptions): Promise<T>;
  create<T>(path: string, body: object, options?: RequestOptions): Promise<T>;
  /** apply sets fields of an object and owns them (server-side apply). */
  apply<T>(path: string, body: object, options?: RequestOptions): Promise<T>;
  /** patch merges into an object (JSON merge patch). */
  patch<T>(path: string, body: object, options?: RequestOptions): Promise<T>;
  /** remove deletes an object with this UID. It returns the object if finalizers still hold it. */
  remove(path: string, uid: string, options?: RequestOptions): Promise<Removed>;
  /** stream opens an endless response, such as a watch. The reader must detect silence. */
  stream(path: string, options?: RequestOptions): Promise<Readable>;
  close(): Promise<void>;
};

export type Removed = { wasThere: boolean; left: KubernetesObject | null };

const answerMs = 15_000;
const connectMs = 3_000;
/** Limit for a response; a list has pages far below it. */
const maxBytes = 64 * 1024 * 1024;
/** Limits how much of the apiserver one busy exposure can use. */
const connections = 24;

/**
 * connect creates a client for a cluster's access, without sending a request. The Kubernetes library would open a connection per
 * request (docs/decisions/0016-requests-of-our-own.md). Nothing is sent before the server's certificate is verified against its
 * CA, regardless of the environment, and redirects are not followed.
 */
export function connect(access: KubernetesAccess, inCluster: InCluster | null = null): KubernetesApi {
  const transport = access.type === "in-cluster" ? openInCluster(inCluster) : openFixed(access);
  const json = async <T>(method: Dispatcher.HttpMethod, path: string, sent: Sent, options: RequestOptions = {}) => {
    const { status, headers, body } = await transport.send(method, path, sent, options);
    const text = await readText(body, maxBytes);
    if (status >= 300) throw new KubernetesError(readStatus(status, headers, text));
    return parse<T>(text);
  };
  return {
    get: (path, options) => json("GET", path, null, options),
    create: (path, body, options) => json("POST", path, ["application/json", body], options),
    apply: (path, body, options) =>
      // JSON is valid YAML; the apiserver requires this type for apply.
      json("PATCH", path, ["application/apply-patch+yaml", body], {
        ...options,
        query: { ...options?.query, fieldManager, force: true },
      }),
    patch: (path, body, options) =>
      json("PATCH", path, ["application/merge-patch+json", body], {
        ...options,
        query: { ...options?.query, fieldManager },
      }),
    async remove(path, uid, options) {
      const body = { apiVersion: "v1", kind: "DeleteOptions", preconditions: { uid }, propagationPolicy: "Background" };
      try {
        // A Status, or the object, which stays while it has finalizers.
        const left = await json<Partial<KubernetesObject>>("DELETE", path, ["application/json", body], options);
        const { metadata } = left;
        return { wasThere: true, left: metadata?.finalizers?.length ? { ...left, metadata } : null };
      } catch (error) {
        if (error instanceof KubernetesError && (error.status === 404 || error.status === 409))
          return { wasThere: false, left: null };
        throw error;
      }
    },
    async stream(path, options = {}) {
      const { status, headers, body } = await transport.send("GET", path, null, options, "stream");
      if (status >= 300) throw new KubernetesError(readStatus(status, headers, await readText(body, maxBytes)));
      return body;
    },
    close: () => transport.close(),
  };
}

type Sent = [contentType: string, body: object] | null;
type Transport = {
  send: (
    method: Dispatcher.HttpMethod,
    path: string,
    sent: Sent,
    options: RequestOptions,
    how?: "stream",
  ) => Promise<HttpResponse>;
  close: () => Promise<void>;
};

function open(tls: HttpOptions["tls"], reach: () => Promise<Reached>): Transport {
  const client = openHttp({ tls: tls ?? {}, connectTimeoutMs: connectMs, maxConnections: connections });
  return {
    async send(method, path, sent, { query, signal, timeoutMs = answerMs }, how) {
      const { server, authorization } = await reach();
      return client.send({
        url: new URL(`${server.replace(/\/$/, "")}${path}${spellQuery(query)}`),
        method,
        headers: {
          accept: "application/json",
          "user-agent": fieldManager,
          ...(authorization ? { authorization } : {}),
          ...(sent ? { "content-type": sent[0] } : {}),
        },
        body: sent ? JSON.stringify(sent[1]) : null,
        firstByteTimeoutMs: timeoutMs,
        // A stream outlives the time for its first byte.
        ...(how === "stream" ? {} : { timeoutMs }),
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
    async send(...asked) {
      transport ??= reached.certificateAuthority().then((ca) => open({ ca }, reached.reach));
      const opened = await transport.catch((error: unknown) => {
        transport = null;
        throw error;
      });
      return opened.send(...asked);
    },
    async close() {
      await (await transport?.catch(() => null))?.close();
    },
  };
}

function spellQuery(query: RequestOptions["query"]): string {
  const given = Object.entries(query ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  return given.length > 0 ? `?${new URLSearchParams(given)}` : "";
}

function parse<T>(text: string): T {
  try {
    // The response has the apiserver's schema; the caller names the fields that it reads.
    return JSON.parse(text) as T;
  } catch (cause) {
    throw new Error("the server is not a Kubernetes apiserver: it did not return JSON", { cause });
  }
}
