import { createExposure as exposureSpec } from "@fairlead/domain/exposure";
import { createExposure } from "@fairlead/services";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type LabStage, setSecureStage } from "./testing/lab-stage.ts";

// The pods have their own certificates.
const waiting = { timeout: 90_000, interval: 200 };
const dnsZone = "games.example.com";

let stage: LabStage;
beforeAll(async () => {
  stage = await setSecureStage("sni");
}, 300_000);
afterAll(() => stage?.stop(), 60_000);

it("connects a client to each pod by server name at one address, also to a replaced pod, and rejects a client without a known name", async () => {
  const { clusterId, poolId, database, now, lab, hops } = stage;
  const { id } = await createExposure(
    now(),
    exposureSpec.parse({
      ...{ clusterId, name: "named", workload: { kind: "deployment", name: "web" }, ports: [{ port: 443 }] },
      strategy: { type: "per-replica", addressing: "shared-sni", replicas: 2, poolId, dnsZone },
    }),
  );
  const names = ["web-1", "web-2", "web-3"].map((each) => `${each}.${dnsZone}`);
  const entries = () => database.db.addressMapping.findMany({ where: { exposureId: id, ready: true } });
  const known = async () => (await entries()).map((each) => each.serverName).sort();
  await expect.poll(known, waiting).toEqual(names);
  const addresses = new Set((await entries()).map((each) => each.externalAddress));
  expect(addresses.size).toBe(1);
  const [address = ""] = addresses;
  await expect.poll(() => hops(address), waiting).toBe(2);

  const all = Object.fromEntries(names.map((each) => [each, [each.replace(`.${dnsZone}`, "")]]));
  const unknown = `web-4.${dnsZone}`;
  expect(answers(address, [...names, unknown])).toEqual({ ...all, [unknown]: ["unrecognized name"] });
  lab("fault", "kill", "web-2");
  await expect.poll(() => answers(address, names), waiting).toEqual(all);
  await expect.poll(() => drops(), waiting).toBeGreaterThan(0);
}, 300_000);

/** answers returns, per name, the subjects of the certificates that a client receives over many connections, or the error. */
function answers(address: string, names: string[]): Record<string, string[]> {
  const ask = `
    import tls from "node:tls";
    const one = (servername) => new Promise((resolve) => {
      const socket = tls.connect({ host: "${address}", port: 443, servername, rejectUnauthorized: false }, () => {
        resolve(socket.getPeerCertificate().subject.CN);
        socket.destroy();
      });
      socket.once("error", (error) => resolve(/unrecognized name/.test(error.message) ? "unrecognized name" : error.code));
    });
    const found = {};
    for (const name of ${JSON.stringify(names)}) {
      const subjects = new Set();
      for (let i = 0; i < 20; i++) subjects.add(await one(name));
      found[name] = [...subjects];
    }
    console.log(JSON.stringify(found));`;
  return stage.askFrom("near", ask) as Record<string, string[]>;
}

/** drops returns the number of drop series for clients without a known server name. */
async function drops(): Promise<number> {
  const rows = await stage.database.db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM series WHERE metric = 'dropsPerSecond' AND labels LIKE '%unknown_server_name%'`;
  return rows[0]?.count ?? 0;
}
