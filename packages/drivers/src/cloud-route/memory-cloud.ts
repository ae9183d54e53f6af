import type { CloudRouteDriver } from "./cloud-route.ts";

/** MemoryCloud is a fake cloud: interfaces by the address of their replica, and the interface that each address leads to. */
export class MemoryCloud {
  readonly interfaces = new Map<string, { id: string; isMarked: boolean; isChecked?: boolean }>();
  readonly leads = new Map<string, string>();
  /** Thrown by every call while it is set. */
  failure: Error | null = null;

  addInterface(address: string): string {
    const id = `eni-${address}`;
    this.interfaces.set(address, { id, isMarked: false });
    return id;
  }

  isMarked(id: string | undefined): boolean {
    return [...this.interfaces.values()].some((each) => each.id === id && each.isMarked);
  }

  isAlive(id: string): boolean {
    return [...this.interfaces.values()].some((each) => each.id === id);
  }
}

/** fakeCloudRoute drives a MemoryCloud like a real driver. */
export function fakeCloudRoute(cloud: MemoryCloud): CloudRouteDriver {
  const call = (signal: AbortSignal) => {
    signal.throwIfAborted();
    if (cloud.failure) throw cloud.failure;
  };
  return {
    async set({ addresses, isPart = false }, signal) {
      call(signal);
      const changes: { message: string }[] = [];
      const problems: { address: string; message: string }[] = [];
      for (const { address, to } of addresses) {
        const lead = cloud.leads.get(address);
        const isFree = lead === undefined || !cloud.isAlive(lead) || cloud.isMarked(lead);
        if (to === null) {
          if (lead === undefined || !isFree) continue;
          cloud.leads.delete(address);
          changes.push({ message: `${address} leads nowhere` });
          continue;
        }
        const target = cloud.interfaces.get(to);
        if (!target) problems.push({ address, message: `no network interface has ${to}` });
        else if (lead === target.id) target.isMarked = true;
        else if (!isFree) problems.push({ address, message: `${address} already leads to ${lead}` });
        else {
          target.isMarked = true;
          cloud.leads.set(address, target.id);
          changes.push({ message: `${address} leads to ${target.id}` });
        }
      }
      if (!isPart && problems.length === 0 && addresses.every((each) => each.to === null))
        for (const each of cloud.interfaces.values()) each.isMarked = false;
      return { changes, problems };
    },
    async observe({ addresses }, signal) {
      call(signal);
      return addresses.map(({ address }) => {
        const lead = cloud.leads.get(address);
        const [reach, at] = [...cloud.interfaces].find(([, each]) => each.id === lead) ?? [];
        return { address, interfaceId: at?.id ?? null, reaches: reach ? [reach] : [], isOurs: at?.isMarked ?? false };
      });
    },
    async checked({ addresses }, signal) {
      call(signal);
      return addresses.flatMap(({ address }) => {
        const at = cloud.interfaces.get(address);
        return at?.isChecked ? [{ address, interfaceId: at.id }] : [];
      });
    },
  };
}
