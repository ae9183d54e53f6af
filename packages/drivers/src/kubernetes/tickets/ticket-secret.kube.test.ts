import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { newId } from "@fairlead/domain";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import type { PodTickets, PodTicketsDriver } from "../../pod-tickets.ts";
import { exposureLabel, managedBy } from "../services/marks.ts";
import { type KubernetesObject, manifestRules, type ServiceAccount, sharedControlPlane } from "../testing/index.ts";
import { openStage, type Stage } from "../testing/stage.ts";
import { ticketSecrets } from "./ticket-secret.ts";

// With the permissions of the manifest and of the guide's Role, which is for one Secret.
const manifest = path.resolve(import.meta.dirname, "../../../../../deploy/kubernetes/ticket-secret.yaml");
const never = new AbortController().signal;
const control = sharedControlPlane();
const { api } = control;

type Secret = KubernetesObject & { data?: Record<string, string> };

let namespace: string;
let account: ServiceAccount;
let stage: Stage;
let driver: PodTicketsDriver;
let tickets: PodTickets;
beforeAll(async () => {
  namespace = await control.createNamespace();
  account = await control.createServiceAccount(namespace, manifestRules);
  stage = openStage(control, { kubeconfig: account.kubeconfig });
  if (!stage.driver.tickets) throw new Error("a driver of pods has their tickets");
  driver = stage.driver.tickets;
});
afterAll(() => stage.close());
beforeEach(() => {
  tickets = {
    ...{ exposureId: newId("exposure"), namespace, name: `tickets-${randomBytes(3).toString("hex")}` },
    ...{ software: "nginx", folder: "/etc/nginx/tickets", pods: podsOf("web-0", "web-1") },
  };
});

function podsOf(...names: string[]): PodTickets["pods"] {
  return names.map((pod) => ({ pod, keys: [{ name: randomBytes(16), secret: randomBytes(64) }] }));
}

const collection = () => `/api/v1/namespaces/${namespace}/secrets`;
const secretPath = () => `${collection()}/${tickets.name}`;
const read = () => api.get<Secret>(secretPath());
const text = (secret: Secret, entry: string) => Buffer.from(secret.data?.[entry] ?? "", "base64").toString();

const collections: Record<string, string> = {
  Secret: "/api/v1/namespaces/NAMESPACE/secrets",
  Role: "/apis/rbac.authorization.k8s.io/v1/namespaces/NAMESPACE/roles",
  RoleBinding: "/apis/rbac.authorization.k8s.io/v1/namespaces/NAMESPACE/rolebindings",
};

/** permit applies the guide's manifest, for the account of this test. */
async function permit(kinds = Object.keys(collections)): Promise<void> {
  const filled = readFileSync(manifest, "utf8")
    .replaceAll("NAMESPACE", namespace)
    .replaceAll("SECRET", tickets.name)
    .replaceAll(/name: fairlead\n\s+namespace: fairlead\n/g, `name: ${account.name}\n    namespace: ${namespace}\n`);
  for (const document of parseAllDocuments(filled)) {
    const object = document.toJS() as KubernetesObject;
    const { kind = "" } = object;
    if (kinds.includes(kind)) await api.create((collections[kind] ?? "").replace("NAMESPACE", namespace), object);
  }
  // The apiserver reads roles from a cache.
  const own = control.apiFor({ token: account.token });
  const read = () => own.get(secretPath()).then(() => "it may", String);
  if (kinds.includes("RoleBinding")) await expect.poll(read, { timeout: 10_000 }).not.toContain("403");
}

it("writes the keys of pods into the Secret that was created for it, with its labels, and changes only what differs", async () => {
  await permit();
  expect(await driver.set(tickets, never)).toEqual([{ message: `changed the Secret ${namespace}/${tickets.name}` }]);
  const first = await read();
  expect(first.metadata.labels).toEqual({ [managedBy]: "fairlead", [exposureLabel]: tickets.exposureId });
  expect(Object.keys(first.data ?? {})).toHaveLength(2 + 2 + 1);
  expect(text(first, "web-1.conf")).toContain(tickets.pods[1]?.keys[0]?.name.toString("hex"));
  expect(await driver.set(tickets, never)).toEqual([]);
  expect((await read()).metadata.resourceVersion).toBe(first.metadata.resourceVersion);
  tickets = { ...tickets, pods: podsOf("web-1") };
  await driver.set(tickets, never);
  expect(Object.keys((await read()).data ?? {})).toHaveLength(1 + 1 + 1);
});

it("repairs a Secret that another program changed, without its entries", async () => {
  await permit();
  await driver.set(tickets, never);
  const { data, metadata } = await read();
  const changed = { "web-0.conf": Buffer.from("#").toString("base64"), "web-1.conf": null, more: "Iw==" };
  await api.merge(secretPath(), { metadata: { labels: { [managedBy]: "another" } }, data: changed });
  expect(await driver.set(tickets, never)).toHaveLength(1);
  const repaired = await read();
  expect(repaired.data).toEqual(data);
  expect(repaired.metadata.labels).toEqual(metadata.labels);
});

/** contended is the driver while another program changes the Secret this often, each time after it was read. */
function contended(times: number): PodTicketsDriver {
  let changes = 0;
  return ticketSecrets({
    calls: {
      ...stage.calls,
      async readSecret(ref, signal) {
        const there = await stage.calls.readSecret(ref, signal);
        if (changes++ < times)
          await api.merge(secretPath(), { metadata: { annotations: { changes: String(changes) } } });
        return there;
      },
    },
    detailOf: (error) => error.message,
    explain: (error) => error as Error,
  });
}

it("writes the Secret again if another program changes it at the same time, but not for ever", async () => {
  await permit();
  expect(await contended(2).set(tickets, never)).toHaveLength(1);
  expect(await driver.set(tickets, never)).toEqual([]);
  tickets = { ...tickets, pods: podsOf("web-0", "web-1") };
  const changed = `another program changed the Secret ${namespace}/${tickets.name} at the same time`;
  await expect(contended(Number.POSITIVE_INFINITY).set(tickets, never)).rejects.toThrow(changed);
});

it("explains which permission it lacks, without a Role and without the Secret", async () => {
  const lacks = `the cluster doesn't allow Fairlead to write the Secret ${namespace}/${tickets.name}`;
  await expect(driver.set(tickets, never)).rejects.toThrow(lacks);
  await permit(["Role", "RoleBinding"]);
  await expect(driver.set(tickets, never)).rejects.toThrow(/cannot (create|patch) resource .*create the Secret if/);
  await permit(["Secret"]);
  expect(await driver.set(tickets, never)).toHaveLength(1);
});

it("may read no other Secret", async () => {
  await permit();
  const own = control.apiFor({ token: account.token });
  await api.create(collection(), { metadata: { name: `theirs-${tickets.name}` } });
  await expect(own.get(`${collection()}/theirs-${tickets.name}`)).rejects.toThrow("403");
  await expect(own.get(collection())).rejects.toThrow("403");
});

it("leaves a Secret alone that has entries or another owner, or another type", async () => {
  await permit(["Role", "RoleBinding"]);
  await api.create(collection(), { metadata: { name: tickets.name }, data: { theirs: "Iw==" } });
  await expect(driver.set(tickets, never)).rejects.toThrow("exists and does not belong to this exposure");
  expect(await driver.remove(tickets, never)).toEqual([]);
  expect((await read()).data).toEqual({ theirs: "Iw==" });
  await api.delete(secretPath());
  const labels = { [exposureLabel]: newId("exposure") };
  await api.create(collection(), { metadata: { name: tickets.name, labels } });
  await expect(driver.set(tickets, never)).rejects.toThrow("does not belong to this exposure");
  await api.delete(secretPath());
  await api.create(collection(), { metadata: { name: tickets.name }, type: "example.com/other" });
  await expect(driver.set(tickets, never)).rejects.toThrow("has the type example.com/other");
});

it("removes its Secret, also one that is gone already", async () => {
  await permit();
  await driver.set(tickets, never);
  const { exposureId, name } = tickets;
  expect(await driver.remove({ exposureId, namespace, name }, never)).toEqual([
    { message: `removed the Secret ${namespace}/${name}` },
  ]);
  await expect(read()).rejects.toThrow("404");
  expect(await driver.remove({ exposureId, namespace, name }, never)).toEqual([]);
});

it("doesn't wait for a Secret whose permission was revoked", async () => {
  expect(await driver.remove(tickets, never)).toEqual([]);
});

it("refuses more pods than a Secret has room for, and fits as many as it states", async () => {
  await permit();
  const many = podsOf(...Array.from({ length: 501 }, (_, i) => `web-${i}`));
  await expect(driver.set({ ...tickets, pods: many }, never)).rejects.toThrow("keys of 501 pods");
  const four = many.slice(1).map(({ pod }) => ({ pod, keys: [0, 1, 2, 3].flatMap(() => podsOf(pod)[0]?.keys ?? []) }));
  expect(await driver.set({ ...tickets, pods: four }, never)).toHaveLength(1);
});

it("never has a key in an error", async () => {
  await permit();
  const [key] = tickets.pods[0]?.keys ?? [];
  const encoded = Buffer.concat([key?.name ?? Buffer.of(), key?.secret ?? Buffer.of()]).toString("base64");
  // A pod whose name is no entry of a Secret: the apiserver refuses it and names it.
  const odd = { ...tickets, pods: [...tickets.pods, ...podsOf(encoded.slice(0, 40).replaceAll(/[A-Z]/g, "/"))] };
  const error: Error = await driver.set(odd, never).then(
    () => new Error("it was accepted"),
    (refused) => refused,
  );
  expect(error.message).toContain("the cluster rejected the Secret");
  expect(error.message).not.toContain(encoded.slice(0, 24));
});
