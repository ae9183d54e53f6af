import type { LookupFunction } from "node:net";
import type { Readable } from "node:stream";
import type { ConnectionOptions } from "node:tls";
import { Agent, type Dispatcher } from "undici";

export type HttpMethod = Dispatcher.HttpMethod;

export type HttpOptions = {
  tls?: Pick<ConnectionOptions, "ca" | "cert" | "key" | "servername">;
  connectTimeoutMs: number;
  /** How many connections to one server. More requests wait for one of them. */
  maxConnections: number;
  /** Resolves the names of servers; that of the system if absent. An IP address as host is not looked up. */
  lookup?: LookupFunction | undefined;
};

export type HttpRequest = {
  url: URL;
  method?: HttpMethod;
  headers?: Record<string, string>;
  body?: string | null;
  /** Until the response begins. */
  firstByteTimeoutMs: number;
  /** Between two chunks of the body; 5 minutes by default. */
  silenceTimeoutMs?: number;
  /** For the whole response. Absent for an endless stream. */
  timeoutMs?: number;
  signal?: AbortSignal | undefined;
};

export type HttpResponse = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** Must be read, or released by releaseBody(): otherwise its connection stays busy. */
  body: Readable;
};

export type HttpClient = {
  send: (request: HttpRequest) => Promise<HttpResponse>;
  /** close ends every request that is still running. */
  close: () => Promise<void>;
};

const defaultSilenceMs = 5 * 60_000;

/**
 * openHttp opens a client for servers that are not ours. It verifies certificates regardless of environment variables, follows no
 * redirect, and limits each wait. The functions of read-body.ts limit the length of what it returns.
 */
export function openHttp({ tls = {}, connectTimeoutMs, maxConnections, lookup }: HttpOptions): HttpClient {
  const agent = new Agent({
    connections: maxConnections,
    // HTTP/1.1: a slow response then delays no other one.
    allowH2: false,
    connect: { ...tls, rejectUnauthorized: true, timeout: connectTimeoutMs, ...(lookup ? { lookup } : {}) },
    keepAliveTimeout: 30_000,
  });
  return {
    async send({ url, method = "GET", headers = {}, body = null, signal, timeoutMs, ...limits }) {
      const late = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
      const response = await agent.request({
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method,
        headers: { "user-agent": "fairlead", ...headers },
        body,
        headersTimeout: limits.firstByteTimeoutMs,
        bodyTimeout: limits.silenceTimeoutMs ?? defaultSilenceMs,
        signal: AbortSignal.any([signal, late].filter((each) => each !== undefined)),
      });
      return { status: response.statusCode, headers: response.headers, body: response.body };
    },
    close: () => agent.destroy(),
  };
}
