import type { KubernetesObject, Nodes } from "@fairlead/drivers/kubernetes-testing";

type EndpointSlice = KubernetesObject & {
  endpoints?: { addresses: string[]; conditions?: { ready?: boolean } }[] | null;
};

/** Endpoints has when each endpoint of a Service was first ready, and when it no longer was, in milliseconds, by address. */
export type Endpoints = {
  readyAt: ReadonlyMap<string, number>;
  endedAt: ReadonlyMap<string, number>;
  stop: () => Promise<void>;
};

/** watchEndpoints records the endpoints of a Service with up to 100 of them, which are in one slice, until it is stopped. */
export function watchEndpoints({ control }: Nodes, service: string): Endpoints {
  const readyAt = new Map<string, number>();
  const endedAt = new Map<string, number>();
  const ending = new AbortController();
  const selector = encodeURIComponent(`kubernetes.io/service-name=${service}`);
  const where = `/apis/discovery.k8s.io/v1/namespaces/default/endpointslices?watch=true&labelSelector=${selector}`;

  async function follow(): Promise<void> {
    for await (const { object } of control.api.watch<EndpointSlice>(where, ending.signal)) {
      const now = Date.now();
      const ready = (object.endpoints ?? []).filter((each) => each.conditions?.ready);
      const addresses = new Set(ready.flatMap((each) => each.addresses));
      for (const each of addresses) if (!readyAt.has(each)) readyAt.set(each, now);
      for (const each of readyAt.keys()) if (!addresses.has(each) && !endedAt.has(each)) endedAt.set(each, now);
    }
    throw new Error("the watch of endpoints ended early");
  }

  const following = follow().catch((error: unknown) => {
    if (!ending.signal.aborted) throw error;
  });
  return {
    ...{ readyAt, endedAt },
    async stop() {
      ending.abort();
      await following;
    },
  };
}
