import type { CloudCredentials, CloudRouteMethod, UpdateCloudRoute } from "@fairlead/domain/cloud";
import { awsCloudRoute } from "@fairlead/drivers/aws";
import { createTestVpc, emulatorUrl, type TestVpc, testCredentials } from "@fairlead/drivers/aws-testing";
import { cloudRouteReconciler, type Loop, loopMetrics, startLoop } from "@fairlead/reconciler";
import { cloudRouteBox, listCloudAddresses, listEvents, markDirty, updateCluster } from "@fairlead/services";
import { createMetrics, silentLog } from "@fairlead/telemetry";
import { afterEach, beforeEach, expect, vi } from "vitest";
import { type BalancerFixture, type BalancerStage, onBalancerStage } from "./balancer-stage.ts";
import { type Ec2Front, startEc2Front } from "./ec2-front.ts";

/** The timeout for a state of the cloud: an emulator is slow on a busy machine. */
export const patience = { timeout: 90_000, interval: 50 };
const secret = "only-for-tests-".repeat(3);
const allowed: string[] = [];

/** CloudFixture is a cluster with simulated balancers in a VPC of an emulated cloud, with a loop that routes addresses there. */
export type CloudFixture = {
  stage: BalancerStage;
  fixture: BalancerFixture;
  vpc: TestVpc;
  /** A route table of the VPC. */
  table: string;
  front: Ec2Front;
  /** Another server of the cloud, with the same accounts by default. */
  addFront: (accountOf?: (key: string) => string) => Promise<Ec2Front>;
  stopLoop: (drainMs?: number) => Promise<void>;
  startLoop: () => Promise<void>;
  /** setUp sets the cloud route of the cluster, at the front. The default method is entries in the table. */
  setUp: (other?: Partial<UpdateCloudRoute>, credentials?: CloudCredentials | null) => Promise<unknown>;
  listed: typeof listOf;
  /** The messages of the events with this reason. */
  messagesOf: (reason: string) => Promise<string[]>;
  /** Waits until the one address is as described. */
  comes: (want: object) => Promise<unknown>;
  /** Makes all balancers report every few seconds until the test ends, as agents do. Otherwise they are silent after 15 s. */
  keepReporting: () => void;
  /** Schedules the next reconciliation now. */
  look: () => Promise<unknown>;
  /** The service address of the one exposure. */
  address: () => Promise<string>;
  /** The interface of the replica with this number. */
  idOf: (number: number) => Promise<string>;
};

let ours: CloudFixture;
const listOf = async () => {
  const { fixture } = ours;
  const query = { clusterId: fixture.clusterId, sort: "address" as const, direction: "asc" as const, limit: 10 };
  return (await listCloudAddresses(fixture.now(), query)).items;
};

/** onCloudStage runs each test of a file in its own VPC. */
export function onCloudStage(begin: (entered: CloudFixture) => void): void {
  let stage: BalancerStage;
  let fixture: BalancerFixture;
  onBalancerStage((set, entered) => {
    stage = set;
    fixture = entered;
  });
  let loop: Loop;
  const fronts: Ec2Front[] = [];
  let stopReporting = async () => {};
  beforeEach(async () => {
    const addFront: CloudFixture["addFront"] = async (accountOf) => {
      const front = await startEc2Front(emulatorUrl(), accountOf);
      fronts.push(front);
      allowed.push(front.url);
      return front;
    };
    const vpc = await createTestVpc();
    for (const number of [1, 2, 3]) await vpc.addInterface(`10.9.0.${number}`);
    const table = await vpc.addRouteTable();
    const front = await addFront();
    const { db } = stage.database;
    const start = async () => {
      loop = await startLoop({
        db,
        listenUrl: stage.database.url,
        reconcilers: [
          cloudRouteReconciler(awsCloudRoute({ allowedEndpoints: allowed }), {
            box: cloudRouteBox(secret),
            presence: { lastsMs: () => 3_600_000 },
          }),
        ],
        log: silentLog,
        metrics: loopMetrics(createMetrics(), db),
        // Longer than a busy machine delays this process: each lost lease delays the next attempt more.
        leaseMs: 5_000,
      });
    };
    await start();
    const place = { ...vpc.place, endpoint: front.url, vpcId: null };
    ours = {
      stage,
      fixture,
      vpc,
      table,
      front,
      addFront,
      stopLoop: (drainMs) => loop.stop(drainMs),
      startLoop: start,
      setUp(other = { method: "route", routeTables: [table] }, credentials = testCredentials) {
        const now = fixture.now();
        const ctx = { ...now, settings: { ...now.settings, cloudEndpoints: allowed } };
        const key = credentials ? { credentials } : {};
        const cloudRoute = { ...place, ...other, ...key } as UpdateCloudRoute;
        return updateCluster(ctx, fixture.clusterId, { cloudRoute });
      },
      listed: listOf,
      async messagesOf(reason) {
        const query = {
          clusterId: fixture.clusterId,
          reason: [reason],
          sort: "at" as const,
          direction: "desc" as const,
        };
        return (await listEvents(fixture.now(), { ...query, limit: 10 })).items.map((each) => each.message);
      },
      comes: (want) => vi.waitFor(async () => expect(await listOf()).toMatchObject([want]), patience),
      keepReporting() {
        let lastReports: Promise<unknown> = Promise.resolve();
        const timer = setInterval(() => {
          lastReports = Promise.all(fixture.balancers.map((each) => each.say()));
        }, 3_000);
        stopReporting = async () => {
          clearInterval(timer);
          await lastReports;
          stopReporting = async () => {};
        };
      },
      look: () => markDirty(db, "cloud-route", fixture.clusterId),
      async address() {
        const rows = await db.virtualAddress.findMany({ where: { loadBalancer: { clusterId: fixture.clusterId } } });
        return rows[0]?.address ?? "";
      },
      idOf: async (number) => (await vpc.interfaces()).find((each) => each.address === `10.9.0.${number}`)?.id ?? "",
    };
    begin(ours);
  });
  afterEach(async () => {
    await stopReporting();
    await loop.stop();
    await Promise.all(fronts.splice(0).map((each) => each.close()));
    ours.vpc.client.destroy();
  });
}

export type ByHand = {
  settings: Partial<UpdateCloudRoute>;
  /** The interface that the address leads to; null if there is none, or if places disagree. */
  leadsTo: () => Promise<string | null>;
  /** Routes the address to this interface, which isn't ours. */
  take: (interfaceId: string) => Promise<unknown>;
  /** Undoes that. */
  untake: (interfaceId: string) => Promise<unknown>;
};

/** byHand changes an address as an operator would in the cloud's console. */
export const byHand: Record<CloudRouteMethod, (cloud: CloudFixture, address: string) => Promise<ByHand>> = {
  async route({ vpc, table }, address) {
    return {
      settings: { method: "route", routeTables: [table] },
      leadsTo: () => vpc.leadsTo(table, address),
      take: (id) => vpc.route(table, address, id),
      untake: () => vpc.unroute(table, address),
    };
  },
  async "secondary-address"({ vpc }, address) {
    return {
      // The emulator has one account for all tests, so many networks have the same addresses.
      settings: { method: "secondary-address", vpcId: vpc.vpcId },
      leadsTo: () => vpc.holds(address),
      take: (id) => vpc.assign(id, address),
      untake: (id) => vpc.unassign(id, address),
    };
  },
  async "elastic-address"({ vpc }, address) {
    const allocationId = await vpc.addElasticAddress();
    return {
      settings: { method: "elastic-address", vpcId: vpc.vpcId, elasticAddresses: [{ address, allocationId }] },
      async leadsTo() {
        const { interfaceId, at } = await vpc.elastic(allocationId);
        const holder = await vpc.holds(address);
        return holder === interfaceId && (holder === null || at === address) ? holder : null;
      },
      take: (id) => vpc.associate(allocationId, id),
      untake: () => vpc.disassociate(allocationId),
    };
  },
};
