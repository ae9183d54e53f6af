import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it, vi } from "vitest";
import { sharedControlPlane } from "../testing/shared-control-plane.ts";
import { openStage, type Stage } from "../testing/stage.ts";

const control = sharedControlPlane();
const patience = { timeout: 30_000, interval: 50 };
const stages: Stage[] = [];
const lines: { stop: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const stage of stages.splice(0)) await stage.close();
  for (const line of lines.splice(0)) await line.stop();
});

function open(kubeconfig: string): Stage {
  const stage = openStage(control, { kubeconfig });
  stages.push(stage);
  return stage;
}

async function openLine() {
  const line = await control.openLine();
  lines.push(line);
  return line;
}

type Listed = { items: { metadata: { name: string; labels?: Record<string, string> } }[] };
const servicesIn = (namespace: string) => `/api/v1/namespaces/${namespace}/services`;
const make = (namespace: string, name: string) =>
  control.api.create(servicesIn(namespace), { metadata: { name }, spec: { ports: [{ port: 80 }] } });
const label = (namespace: string, name: string, step: string) =>
  control.api.merge(`${servicesIn(namespace)}/${name}`, { metadata: { labels: { step } } });

function seen({ view }: Stage, namespace: string): string[] {
  const there = [...view.services.items.values()].filter((each) => each.namespace === namespace);
  return there.map(({ name, labels }) => `${name} ${labels.step ?? ""}`).sort();
}

async function there(namespace: string): Promise<string[]> {
  const { items } = await control.api.get<Listed>(servicesIn(namespace));
  return items.map(({ metadata: { name, labels } }) => `${name} ${labels?.step ?? ""}`).sort();
}

describe("the view of a cluster", () => {
  it("is eventually correct, regardless of when the connection breaks", async () => {
    const namespace = await control.createNamespace();
    const line = await openLine();
    const stage = open(line.kubeconfig);
    await stage.view.whole(AbortSignal.timeout(20_000));
    let isChanging = true;
    const breaking = (async () => {
      for (let n = 0; isChanging; n++) {
        await sleep(15 + ((n * 37) % 90));
        line.drop();
      }
    })();
    for (let step = 0; step < 120; step++) {
      const name = `s-${step % 12}`;
      // Created, changed repeatedly, and every third time deleted and created again with the same name.
      if (step < 12) await make(namespace, name);
      else if (step % 3 === 0) {
        await control.api.delete(`${servicesIn(namespace)}/${name}`);
        await make(namespace, name);
      } else await label(namespace, name, String(step));
    }
    isChanging = false;
    await breaking;
    await expect.poll(() => seen(stage, namespace), patience).toEqual(await there(namespace));
    expect(stage.troubles.length).toBeGreaterThan(5);
    await expect.poll(() => stage.view.lastingTrouble(), patience).toBeNull();
  });

  it("keeps its last state while the API is unreachable, reports its age, and catches up", async () => {
    const namespace = await control.createNamespace();
    await make(namespace, "before");
    const line = await openLine();
    const stage = open(line.kubeconfig);
    await expect.poll(() => seen(stage, namespace), patience).toEqual(["before "]);
    line.freeze();
    await make(namespace, "meanwhile");
    await expect.poll(() => stage.view.lastingTrouble(), patience).not.toBeNull();
    const receivedAt = stage.view.receivedAt()?.getTime() ?? 0;
    expect(receivedAt).toBeLessThan(Date.now() - 3_000);
    expect(seen(stage, namespace)).toEqual(["before "]);
    line.mend();
    await expect.poll(() => seen(stage, namespace), patience).toEqual(["before ", "meanwhile "]);
    // Each kind reconnects by itself: services can be back before pods are.
    await expect.poll(() => stage.view.lastingTrouble(), patience).toBeNull();
  });

  it("keeps its last state when its token is revoked, and reports the error", async () => {
    const namespace = await control.createNamespace();
    await make(namespace, "before");
    const account = await control.createServiceAccount(namespace);
    const stage = open(account.kubeconfig);
    await expect.poll(() => seen(stage, namespace), patience).toEqual(["before "]);
    await account.revoke();
    // The API server caches a valid token for ten more seconds, and checks it when the next watch is opened.
    await expect
      .poll(() => stage.view.lastingTrouble(), { timeout: 60_000, interval: 200 })
      .toMatchObject({ status: 401 });
    expect(seen(stage, namespace)).toEqual(["before "]);
  }, 90_000);

  it("detects an outage regardless of clock changes", async () => {
    const line = await openLine();
    const stage = open(line.kubeconfig);
    await stage.view.whole(AbortSignal.timeout(20_000));
    line.cut();
    await expect.poll(() => stage.troubles.length, patience).toBeGreaterThan(0);
    // The clock is set back by three hours: the outage must still be detected.
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 3 * 3_600_000 });
    try {
      await sleep(5_000);
      expect(stage.view.lastingTrouble()).not.toBeNull();
    } finally {
      vi.useRealTimers();
    }
  });
});
