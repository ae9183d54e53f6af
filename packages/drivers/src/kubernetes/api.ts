import type { Readable } from "node:stream";
import type { KubernetesAccess } from "@fairlead/domain";
import { Agent, type Dispatcher } from "undici";
import { KubernetesError, readStatus } from "./error.ts";
import { type InCluster, reachInCluster } from "./in-cluster.ts";
import type { KubernetesObject } from "./objects.ts";

/** Of every field that we apply: who else manages one is told apart by it. */
export const fieldManager = "fairlead";

export type RequestOptions = {
  query?: Record<string, string | number | boolean | undefined>;
  signal?: AbortSignal;
  /** For the whole answer; of a stream, until its first byte. */
  timeoutMs?: number;
};

/** KubernetesApi speaks to one apiserver, over connections that it keeps. */
export type KubernetesApi = {
  get<T>(path: string, options?: RequestOptions): Promise<T>;
  create<T>(path: string, body: object, options?: RequestOptions): Promise<T>;
  /** apply makes the fields of an object so, and ours (server-side apply). */
  apply<T>(path: string, body: object, options?: RequestOptions): Promise<T>;
  /** patch merges into an object (JSON merge patch). */
  patch<T>(path: string, body: object, options?: RequestOptions): Promise<T>;
  /** remove deletes an object, and answers what stays of it until others let go. One that is another by now is left alone. */
  remove(path: string, uid: string, options?: RequestOptions): Promise<Removed>;
  /** stream opens an answer that goes on, such as a watch. Its silence is for the reader to judge. */
  stream(path: string, options?: RequestOptions): Promise<Readable>;
  close(): Promise<void>;
};

export type Removed = { wasThere: boolean; left: KubernetesObject | null };

const answerMs = 15_000;
const connectMs = 3_000;
/** What a server may say; a list comes in pages far below it. */
const mostBytes = 64 * 1024 * 1024;
/** So that one busy exposure leaves the apiserver room for others. */
const connections = 24;

/**
 * connect makes an API of what a cluster is reached by. Nothing is asked yet. The library of Kubernetes would open a
 * connection for every request (docs/decisions/0016-requests-of-our-own.md). Nothing is sent before the server has shown a
 * certificate that its authority signed, whatever the environment says of that, and no redirect is followed.
 */
export function connect(access: KubernetesAccess, inCluster: InCluster | null = null): KubernetesApi {
  const door = access.type === "in-cluster" ? openInCluster(inCluster) : openFixed(access);
  const json = async <T>(method: Dispatcher.HttpMethod, path: string, sent: Sent, options: RequestOptions = {}) => {
    const { statusCode, headers, body } = await door.send(method, path, sent, options);
    const text = await readText(body);
    if (statusCode >= 300) throw new KubernetesError(readStatus(statusCode, headers, text));
    return parse<T>(text);
  };
  return {
    get: (path, options) => json("GET", path, null, options),
    create: (path, body, options) => json("POST", path, ["application/json", body], options),
    apply: (path, body, options) =>
      // JSON is YAML; the apiserver knows apply by this type alone.
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
        // A Status, or the object as it was: it stays for as long as somebody has a finalizer on it.
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
      const { statusCode, headers, body } = await door.send("GET", path, null, options, "stream");
      if (statusCode >= 300) throw new KubernetesError(readStatus(statusCode, headers, await readText(body)));
      return body;
    },
    close: () => door.close(),
  };
}

type Sent = [contentType: string, body: object] | null;
type Door = {
  send: (
    method: Dispatcher.HttpMethod,
    path: string,
    sent: Sent,
    options: RequestOptions,
    how?: "stream",
  ) => Promise<Dispatcher.ResponseData>;
  close: () => Promise<void>;
};

/** Reached is where a request goes, and what lets it in. */
export type Reached = { server: string; authorization: string | null };

function open(tls: object, reach: () => Promise<Reached>): Door {
  const connection = { ...tls, rejectUnauthorized: true, timeout: connectMs };
  // HTTP/1.1: an answer that is slow to come then holds up no other.
  const agent = new Agent({ connections, allowH2: false, connect: connection, keepAliveTimeout: 30_000 });
  return {
    async send(method, path, sent, { query, signal, timeoutMs = answerMs }, how) {
      const { server, authorization } = await reach();
      const late = AbortSignal.timeout(timeoutMs);
      // A stream outlives the time for its first byte.
      const signals = [...(signal ? [signal] : []), ...(how === "stream" ? [] : [late])];
      return agent.request({
        origin: new URL(server).origin,
        path: `${new URL(server).pathname.replace(/\/$/, "")}${path}${spellQuery(query)}`,
        method,
        headers: {
          accept: "application/json",
          "user-agent": fieldManager,
          ...(authorization ? { authorization } : {}),
          ...(sent ? { "content-type": sent[0] } : {}),
        },
        body: sent ? JSON.stringify(sent[1]) : null,
        headersTimeout: timeoutMs,
        bodyTimeout: 0,
        ...(signals.length > 0 ? { signal: AbortSignal.any(signals) } : {}),
      });
    },
    close: () => agent.destroy(),
  };
}

function openFixed(access: Extract<KubernetesAccess, { type: "kubeconfig" }>): Door {
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

function openInCluster(inCluster: InCluster | null): Door {
  const reached = reachInCluster(inCluster);
  let door: Promise<Door> | null = null;
  return {
    async send(...asked) {
      door ??= reached.certificateAuthority().then((ca) => open({ ca }, reached.reach));
      const opened = await door.catch((error: unknown) => {
        door = null;
        throw error;
      });
      return opened.send(...asked);
    },
    async close() {
      await (await door?.catch(() => null))?.close();
    },
  };
}

function spellQuery(query: RequestOptions["query"]): string {
  const given = Object.entries(query ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  return given.length > 0 ? `?${new URLSearchParams(given)}` : "";
}

async function readText(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw new Error(`the apiserver answered more than ${mostBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parse<T>(text: string): T {
  try {
    // What an apiserver answers is by its own schema; whoever asks names the fields that are read.
    return JSON.parse(text) as T;
  } catch (cause) {
    throw new Error("what answered is no Kubernetes apiserver: it did not answer in JSON", { cause });
  }
}
