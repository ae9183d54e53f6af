import type { Readable } from "node:stream";
import type { KubernetesAccess } from "@fairlead/domain";
import { Agent, type Dispatcher } from "undici";
import { KubernetesError, readStatus } from "./error.ts";
import { type InCluster, reachInCluster } from "./in-cluster.ts";

export type RequestOptions = {
  query?: Record<string, string | number | boolean | undefined>;
  signal?: AbortSignal;
  /** For the whole answer. */
  timeoutMs?: number;
};

/** KubernetesApi speaks to one apiserver, over connections that it keeps. */
export type KubernetesApi = {
  get<T>(path: string, options?: RequestOptions): Promise<T>;
  create<T>(path: string, body: object, options?: RequestOptions): Promise<T>;
  close(): Promise<void>;
};

const userAgent = "fairlead";
const answerMs = 15_000;
const connectMs = 3_000;
/** What a server may say; a list comes in pages far below it. */
const mostBytes = 64 * 1024 * 1024;
/** So that one busy exposure leaves the apiserver room for others. */
const connections = 24;

/**
 * connect makes an API of what a cluster is reached by. Nothing is asked yet. The library of Kubernetes would open a connection
 * for every request, and TLS costs more than most of them. Nothing is sent before the server has shown a certificate that its
 * authority signed, whatever the environment says of that, and no redirect is followed.
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
    async send(method, path, sent, { query, signal, timeoutMs = answerMs }) {
      const { server, authorization } = await reach();
      const late = AbortSignal.timeout(timeoutMs);
      return agent.request({
        origin: new URL(server).origin,
        path: `${new URL(server).pathname.replace(/\/$/, "")}${path}${spellQuery(query)}`,
        method,
        headers: {
          accept: "application/json",
          "user-agent": userAgent,
          ...(authorization ? { authorization } : {}),
          ...(sent ? { "content-type": sent[0] } : {}),
        },
        body: sent ? JSON.stringify(sent[1]) : null,
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
        signal: signal ? AbortSignal.any([signal, late]) : late,
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
  const given = Object.entries(query ?? {}).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
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
