import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Agent, createServer, request } from "node:https";
import type { AddressInfo } from "node:net";
import { type ControlPlane, issueServer } from "@fairlead/drivers/kubernetes-testing";

/** silent accepts connections but never responds; refusing doesn't listen; cutting breaks off each response. */
export type Mood = "well" | "silent" | "refusing" | "cutting";

export type NamespaceCluster = {
  url: string;
  feel: (mood: Mood) => Promise<void>;
  stop: () => Promise<void>;
};

/** The watched resources that are in namespaces. */
const lists =
  /^(\/api\/v1|\/apis\/[^/]+\/v1)\/(pods|services|endpointslices|statefulsets|deployments|daemonsets)(\?|$)/;
const cutAfterBytes = 700;

/**
 * openNamespaceCluster is a proxy that shows one namespace of an apiserver as a cluster: fifty clusters on one machine, each
 * of which sees only its own objects.
 */
export async function openNamespaceCluster(control: ControlPlane, namespace: string): Promise<NamespaceCluster> {
  const { certificate, key } = await issueServer(control.access.authority);
  const agent = new Agent({ ca: control.ca, keepAlive: true });
  let mood: Mood = "well";

  function answer(incoming: IncomingMessage, response: ServerResponse): void {
    if (mood === "silent") return;
    const path = (incoming.url ?? "").replace(lists, `$1/namespaces/${namespace}/$2$3`);
    const { host: _, ...headers } = incoming.headers;
    const passed = request(`${control.url}${path}`, { method: incoming.method, headers, agent }, (received) => {
      response.writeHead(received.statusCode ?? 502, received.headers);
      response.flushHeaders(); // a watch gets its headers before the first event
      if (mood === "cutting") {
        received.once("data", (chunk: Buffer) => {
          response.write(chunk.subarray(0, cutAfterBytes), () => response.destroy());
          received.destroy();
        });
        return;
      }
      received.on("error", () => response.destroy());
      received.pipe(response);
    });
    passed.on("error", () => response.destroy());
    response.on("close", () => passed.destroy());
    incoming.pipe(passed);
  }

  const server = createServer({ cert: certificate, key }, answer);
  server.keepAliveTimeout = 60_000;
  const listen = async (port: number) => {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  };
  const shut = async () => {
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}`,
    async feel(next) {
      const before = mood;
      mood = next;
      if (next === "refusing") await shut();
      else if (before === "refusing") await listen(port);
      // Open connections end too; a silent cluster keeps them open.
      if (next === "cutting" || (before === "silent" && next === "well")) server.closeAllConnections();
    },
    async stop() {
      if (server.listening) await shut();
      agent.destroy();
    },
  };
}
