import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { AddressMap } from "../map/address-map.ts";

export type Fault = (request: IncomingMessage, response: ServerResponse) => void;
export type Seen = { path: string; query: URLSearchParams; headers: IncomingMessage["headers"] };

/**
 * Edge serves one exposure's map as the control plane does: with an ETag, 304 and long polls. The next requests get the
 * queued faults instead.
 */
export class Edge {
  readonly seen: Seen[] = [];
  readonly faults: Fault[] = [];
  key = "fl_right";
  /** While set, every request gets this fault. */
  outage: Fault | null = null;
  #map: AddressMap;
  #server: Server | null = null;
  #port = 0;
  #wake = new Set<() => void>();

  constructor(map: AddressMap) {
    this.#map = map;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get map(): AddressMap {
    return this.#map;
  }

  /** Number of pending long polls. */
  get waiting(): number {
    return this.#wake.size;
  }

  async open(): Promise<this> {
    const server = createServer((request, response) => this.#respond(request, response));
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject).listen(this.#port, "127.0.0.1", resolve);
    });
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
    return this;
  }

  async close(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    this.#wake.clear();
    server?.closeAllConnections();
    await new Promise((resolve) => (server ? server.close(resolve) : resolve(null)));
  }

  /** serve changes the map. With `wakes: false`, pending long polls keep waiting. */
  serve(map: AddressMap, { wakes = true } = {}): void {
    this.#map = map;
    if (wakes) for (const wake of [...this.#wake]) wake();
  }

  #respond(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? "/", this.url);
    this.seen.push({ path: url.pathname, query: url.searchParams, headers: request.headers });
    const fault = this.outage ?? this.faults.shift();
    if (fault) {
      fault(request, response);
      return;
    }
    if (request.headers.authorization !== `Bearer ${this.key}`) {
      problem(response, 401, "You are signed out. Sign in, or send an API key.");
      return;
    }
    if (url.pathname !== `/api/v1/exposures/${this.#map.exposureId}/mappings`) {
      problem(response, 404, "There is no such exposure.");
      return;
    }
    const wait = Number(/^(\d+)s$/.exec(url.searchParams.get("wait") ?? "")?.[1] ?? 0) * 1_000;
    const after = Number(url.searchParams.get("after") ?? -1);
    if (wait === 0 || this.#map.generation !== after) this.#send(request, response);
    else this.#sendLater(request, response, wait);
  }

  #sendLater(request: IncomingMessage, response: ServerResponse, wait: number): void {
    const send = () => {
      clearTimeout(timer);
      this.#wake.delete(send);
      if (!response.destroyed) this.#send(request, response);
    };
    const timer = setTimeout(send, wait);
    response.once("close", () => {
      clearTimeout(timer);
      this.#wake.delete(send);
    });
    this.#wake.add(send);
  }

  #send(request: IncomingMessage, response: ServerResponse): void {
    const text = JSON.stringify(this.#map);
    const tag = `"${this.#map.generation}.${createHash("sha1").update(text).digest("base64url").slice(0, 16)}"`;
    const isKnown = (request.headers["if-none-match"] ?? "").replace(/^W\//, "") === tag;
    response.writeHead(isKnown ? 304 : 200, { etag: tag, "content-type": "application/json" });
    response.end(isKnown ? undefined : text);
  }
}

export function problem(response: ServerResponse, status: number, detail: string, headers = {}): void {
  response.writeHead(status, { "content-type": "application/problem+json", ...headers });
  response.end(JSON.stringify({ type: "urn:fairlead:problem:test", title: "No", status, detail }));
}
