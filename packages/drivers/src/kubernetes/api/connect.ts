import type { Readable } from "node:stream";
import type { KubernetesAccess } from "@fairlead/domain/kubernetes";
import { type KubernetesCalls, openCalls } from "./calls.ts";
import type { InCluster } from "./in-cluster.ts";
import { openTransport, readTextOf } from "./transport.ts";
import type { Turns } from "./turns.ts";

export type ReadOptions = {
  query?: Record<string, string | number | boolean | undefined>;
  signal?: AbortSignal;
  timeoutMs?: number;
};

/** KubernetesReads lists and watches: the requests that carry thousands of objects. */
export type KubernetesReads = {
  list<T>(path: string, options?: ReadOptions): Promise<T>;
  /** stream opens an endless response, such as a watch. The reader must detect silence. */
  stream(path: string, options?: ReadOptions): Promise<Readable>;
};

/** KubernetesApi is a client of one apiserver, with persistent connections. */
export type KubernetesApi = {
  reads: KubernetesReads;
  /** All other requests, by the Kubernetes library. */
  calls: KubernetesCalls;
  close(): Promise<void>;
};

/**
 * connect creates a client for a cluster's access, without sending a request. Nothing is sent before the server's certificate is
 * verified against its CA, regardless of the environment, and redirects are not followed. Calls take turns where turns are given;
 * lists and watches don't wait for them.
 */
export function connect(
  access: KubernetesAccess,
  { inCluster = null, turns = null }: { inCluster?: InCluster | null; turns?: Turns | null } = {},
): KubernetesApi {
  const transport = openTransport(access, inCluster);
  return {
    reads: {
      async list<T>(path: string, { query, ...options }: ReadOptions = {}) {
        const response = await transport.send(withQuery(path, query), { method: "GET", ...options });
        // The response has the apiserver's schema; the caller names the fields that it reads.
        return parseJson(await readTextOf(response)) as T;
      },
      async stream(path, { query, ...options } = {}) {
        const request = { method: "GET" as const, isStream: true, ...options };
        const response = await transport.send(withQuery(path, query), request);
        if (response.status >= 300) await readTextOf(response);
        return response.body;
      },
    },
    calls: openCalls(transport, turns),
    close: () => transport.close(),
  };
}

function withQuery(path: string, query: ReadOptions["query"] = {}): string {
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return given.length > 0 ? `${path}?${new URLSearchParams(given)}` : path;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error("the server is not a Kubernetes apiserver: it did not return JSON", { cause });
  }
}
