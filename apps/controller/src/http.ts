import { createServer, type Server, type ServerResponse } from "node:http";
import type { Metrics } from "@fairlead/telemetry";

export type HttpOptions = {
  host: string;
  port: number;
  metrics: Metrics;
  /** Returns null if ready, or a message about the problem. */
  findProblem: () => Promise<string | null>;
};

export type Http = { port: number; stop: () => Promise<void> };

/** startHttp serves liveness, readiness and metrics of the process. */
export async function startHttp({ host, port, metrics, findProblem }: HttpOptions): Promise<Http> {
  const server = createServer((request, response) => {
    const path = request.url?.split("?")[0];
    if (request.method !== "GET") return send(response, 405, "Only GET is supported.\n");
    if (path === "/healthz") return send(response, 200, "alive\n");
    if (path === "/readyz") return void sendReadiness(response, findProblem);
    if (path === "/metrics") return void metrics.page().then((page) => send(response, 200, page));
    send(response, 404, "Available: /healthz, /readyz and /metrics.\n");
  });
  await listen(server, host, port);
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : port,
    stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      return closed;
    },
  };
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

async function sendReadiness(response: ServerResponse, findProblem: () => Promise<string | null>): Promise<void> {
  const problem = await findProblem();
  send(response, problem === null ? 200 : 503, problem === null ? "ready\n" : `${problem}\n`);
}

function send(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { "content-type": "text/plain; version=0.0.4; charset=utf-8" }).end(text);
}
