import path from "node:path";
import { type Nodes, scriptPod } from "@fairlead/drivers/kubernetes-testing";
import { expect, vi } from "vitest";
import { readyPods } from "./ready-pods.ts";

const port = 8_080;
const name = "visitor";
const patience = { timeout: 60_000, interval: 200 };

export type Visit = {
  /** When it began, in milliseconds. */
  at: number;
  /** The pod that answered, and the client's address as that pod saw it; empty after an error. */
  instance: string;
  client: string;
  /** Why there was no answer; empty otherwise. */
  error: string;
};

/** Visitor is a client in a pod, on the pod network of its node. */
export type Visitor = {
  node: string;
  address: string;
  /** begin visits an address, such as 198.51.100.1:80, until the end. Each visit has its own connection. */
  begin: (to: string, everyMs?: number) => Promise<void>;
  /** seen returns the visits of this round until now. */
  seen: () => Promise<Visit[]>;
  end: () => Promise<Visit[]>;
};

/** startVisitors runs a client in a pod on each node, and returns them in the order of the nodes. */
export async function startVisitors(nodes: Nodes): Promise<Visitor[]> {
  const { container, volumes } = scriptPod(path.join(import.meta.dirname, "visitor-process.ts"), [String(port)]);
  const labels = { app: name };
  const own = {
    ...{ ...container, name },
    resources: { requests: { cpu: "100m" } },
    readinessProbe: { tcpSocket: { port }, periodSeconds: 1 },
  };
  await nodes.control.api.create("/apis/apps/v1/namespaces/default/daemonsets", {
    metadata: { name },
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { terminationGracePeriodSeconds: 1, automountServiceAccountToken: false, containers: [own], volumes },
      },
    },
  });
  const pods = await vi.waitFor(async () => {
    const ready = await readyPods(nodes, name);
    expect(ready).toHaveLength(nodes.names.length);
    return ready;
  }, patience);
  return nodes.names.map((node) => visitorIn(nodes, node, pods.find((each) => each.node === node)?.address ?? ""));
}

function visitorIn(nodes: Nodes, node: string, address: string): Visitor {
  const order = async (what: string): Promise<Visit[]> => {
    const script = `
      const response = await fetch("http://${address}:${port}/${what}");
      if (!response.ok) throw new Error(await response.text());
      process.stdout.write(await response.text());`;
    return JSON.parse(await nodes.run(node, [process.execPath, "--input-type=module", "-e", script])) as Visit[];
  };
  return {
    ...{ node, address, seen: () => order("seen"), end: () => order("end") },
    begin: async (to, everyMs = 10) => {
      await order(`begin?address=${to}&everyMs=${everyMs}`);
    },
  };
}
