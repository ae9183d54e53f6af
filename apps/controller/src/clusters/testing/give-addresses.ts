import { setTimeout as sleep } from "node:timers/promises";
import type { ControlPlane } from "@fairlead/drivers/kubernetes-testing";

type Service = {
  metadata: { name: string };
  spec: { type: string };
  status?: { loadBalancer?: { ingress?: object[] } };
};

/** giveAddresses acts as a load balancer controller: a Service whose name ends in -2 gets 192.0.2.3. */
export function giveAddresses(control: ControlPlane, namespace: string): { stop: () => Promise<void> } {
  const path = `/api/v1/namespaces/${namespace}/services`;
  let isStopped = false;
  async function give(): Promise<void> {
    const { items } = await control.api.get<{ items: Service[] }>(path);
    const waiting = items.filter(({ spec, status }) => spec.type === "LoadBalancer" && !status?.loadBalancer?.ingress);
    for (const { metadata } of waiting)
      await control.api.merge(`${path}/${metadata.name}/status`, {
        status: { loadBalancer: { ingress: [{ ip: `192.0.2.${1 + Number(/\d+$/.exec(metadata.name)?.[0] ?? 0)}` }] } },
      });
  }
  async function run(): Promise<void> {
    while (!isStopped) {
      await give().catch(() => {}); // the apiserver may be unreachable
      await sleep(50);
    }
  }
  const running = run();
  return {
    async stop() {
      isStopped = true;
      await running;
    },
  };
}
