import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type KubernetesObject, type OwnControlPlane, startControlPlane } from "./index.ts";

type ConfigMap = KubernetesObject & { data?: Record<string, string> };
type Status = { code: number; reason: string };

const maps = "/api/v1/namespaces/default/configmaps";
let controlPlane: OwnControlPlane;
beforeAll(async () => {
  controlPlane = await startControlPlane();
});
afterAll(() => controlPlane.stop());

const create = (name: string) => controlPlane.api.create<ConfigMap>(maps, { metadata: { name }, data: { kept: name } });
const data = async (name: string) => (await controlPlane.api.get<ConfigMap>(`${maps}/${name}`)).data;

/** firstOf returns the first event of a watch from a version. */
async function firstOf(resourceVersion: string | undefined): Promise<{ type: string; object: unknown }> {
  const watch = controlPlane.api.watch(
    `${maps}?watch=1&resourceVersion=${resourceVersion}`,
    AbortSignal.timeout(20_000),
  );
  const { value } = await watch.next();
  await watch.return(undefined);
  return value ?? { type: "END", object: null };
}

function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe("a test's own control plane", () => {
  it("returns its version", async () => {
    expect(await controlPlane.api.get<object>("/version")).toMatchObject({
      major: "1",
      gitVersion: expect.stringMatching(/^v1\.\d+\.\d+$/),
    });
  });

  it("keeps its data and address when the API server is killed and restarted", async () => {
    await create("before");
    await controlPlane.killApiserver();
    await expect(controlPlane.api.get(maps)).rejects.toThrow("ECONNREFUSED");
    await controlPlane.restoreApiserver();
    expect(await data("before")).toEqual({ kept: "before" });
  });

  it("keeps its data when etcd is killed, and serves again after the restart", async () => {
    await create("kept");
    await controlPlane.kill("etcd");
    await controlPlane.restore("etcd");
    await expect.poll(() => data("kept").catch(() => null), { timeout: 30_000 }).toEqual({ kept: "kept" });
  });

  it("doesn't respond while the API server is frozen, and responds to pending requests after it", async () => {
    await controlPlane.freeze("kube-apiserver");
    let isAnswered = false;
    const pending = controlPlane.api.get<ConfigMap>(maps).finally(() => {
      isAnswered = true;
    });
    await sleep(300);
    const wasAnswered = isAnswered;
    controlPlane.thaw("kube-apiserver"); // also for the tests after this one
    expect(wasAnswered).toBe(false);
    expect(await pending).toHaveProperty("items");
  });

  it("continues a stopped watch, and returns 410 for a compacted version", async () => {
    const old = await create("old");
    await create("newer");
    expect(await firstOf(old.metadata.resourceVersion)).toMatchObject({
      type: "ADDED",
      object: { metadata: { name: "newer" } },
    });

    await controlPlane.forgetHistory();
    const { type, object } = await firstOf(old.metadata.resourceVersion);
    expect([type, (object as Status).code, (object as Status).reason]).toEqual(["ERROR", 410, "Expired"]);
  });

  it("continues a list from etcd until its version is compacted", async () => {
    for (const name of ["one", "two", "three"]) await create(name);
    type Page = { metadata: { continue: string }; items: ConfigMap[] };
    const page = await controlPlane.api.get<Page>(`${maps}?limit=1`);
    const rest = `${maps}?limit=1&continue=${encodeURIComponent(page.metadata.continue)}`;
    await create("later");
    await controlPlane.restoreApiserver();
    expect((await controlPlane.api.get<Page>(rest)).items).toHaveLength(1);
    await controlPlane.compactEtcd();
    await expect(controlPlane.api.get(rest)).rejects.toMatchObject({ code: 410 });
  });

  it("allows every user everything without authorization, and leaves nothing behind", async () => {
    const open = await startControlPlane({ authorization: "AlwaysAllow" });
    const user = open.apiFor(await open.createUser("ann"));
    expect(await user.get<object>("/api/v1/nodes")).toHaveProperty("items");
    const { pids, folder } = open;
    expect(pids).toHaveLength(2);
    expect([...pids.map(lives), existsSync(folder)]).toEqual([true, true, true]);
    await open.stop();
    expect([...pids.map(lives), existsSync(folder)]).toEqual([false, false, false]);
    await open.stop();
  });
});
