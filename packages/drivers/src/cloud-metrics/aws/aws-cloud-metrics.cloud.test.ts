import { cloudMetrics } from "@fairlead/domain/cloud";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { emulatorUrl, testCredentials } from "../../cloud-route/testing/test-vpc.ts";
import type { CloudMetricsDriver, FoundBalancer } from "../cloud-metrics.ts";
import { type AwsFront, refuse, startAwsFront } from "../testing/aws-front.ts";
import { createTestBalancers, type TestBalancers } from "../testing/test-balancers.ts";
import { awsCloudMetrics } from "./aws-cloud-metrics.ts";

const never = new AbortController().signal;
const minute = (number: number) => new Date(Date.UTC(2026, 10, 25, 12, number));
/** Four minutes. Missing values in the last one are unknown, because they may still arrive. */
const span = { from: minute(0), to: minute(4), quietBefore: minute(3) };

let front: AwsFront;
let driver: CloudMetricsDriver;
let made: TestBalancers;
let elsewhere: TestBalancers;
beforeAll(async () => {
  front = await startAwsFront(emulatorUrl());
  front.madeAt = minute(-60);
  made = createTestBalancers();
  elsewhere = createTestBalancers("eu-west-1");
  const at = { monitoringEndpoint: front.url, balancingEndpoint: front.url };
  const settings = cloudMetrics.parse({ provider: "aws", region: "eu-central-1", ...at });
  driver = awsCloudMetrics({ allowedEndpoints: [front.url] })(settings, testCredentials);
});
afterAll(async () => {
  await front.close();
  made.close();
  elsewhere.close();
});

const find = (...addresses: string[]) => driver.find(addresses, never);
async function findOne(address: string): Promise<FoundBalancer> {
  const { found } = await find(address);
  const [only] = found;
  if (found.length !== 1 || !only) throw new Error(`${address} was found ${found.length} times`);
  return only;
}
const read = async (balancers: FoundBalancer[], other: object = {}) =>
  (await driver.read(balancers, { ...span, ...other }, never)).map(({ metric, atMs, values, problem }) => ({
    metric,
    points: atMs.map((at, index) => [(at - span.from.getTime()) / 60_000, values[index]]),
    problem,
  }));

describe("a network balancer", () => {
  it("is read in our units; missing values are zero once they are old enough, and unknown before", async () => {
    const balancer = await made.network();
    await made.measure(balancer, minute(1), { ProcessedBytes: 7_500_000, ActiveFlowCount: 40, NewFlowCount: 120 });
    await made.measure(balancer, minute(3), { ActiveFlowCount: 41 });
    await made.measure(balancer, minute(4), { ActiveFlowCount: 99 });
    expect(await read([await findOne(balancer.address)])).toEqual([
      {
        metric: "bothWaysBps",
        points: [
          [0, 0],
          [1, 1_000_000],
          [2, 0],
        ],
        problem: "",
      },
      {
        metric: "connectionsLive",
        points: [
          [0, 0],
          [1, 40],
          [2, 0],
          [3, 41],
        ],
        problem: "",
      },
      {
        metric: "connectionsNewPerSecond",
        points: [
          [0, 0],
          [1, 2],
          [2, 0],
        ],
        problem: "",
      },
    ]);
  });

  it("has no values before its creation", async () => {
    const balancer = await findOne((await made.network()).address);
    const young = { ...balancer, since: new Date(minute(1).getTime() + 1_000) };
    for (const { points } of await read([young])) expect(points).toEqual([[2, 0]]);
  });

  it("adds up counters of several reports in a minute, and averages live connections", async () => {
    const balancer = await made.network();
    await made.measure(balancer, minute(0), { ActiveFlowCount: 10, NewFlowCount: 30 });
    await made.measure(balancer, minute(0), { ActiveFlowCount: 30, NewFlowCount: 30 });
    const [, live, fresh] = await read([await findOne(balancer.address)]);
    expect([live?.points[0], fresh?.points[0]]).toEqual([
      [0, 20],
      [0, 1],
    ]);
  });
});

describe("a classic balancer", () => {
  it("has no series of live connections, which AWS does not measure", async () => {
    const balancer = await made.classic();
    await made.measure(balancer, minute(2), { EstimatedProcessedBytes: 15_000, RequestCount: 6 });
    expect(await read([await findOne(balancer.address)])).toEqual([
      {
        metric: "bothWaysBps",
        points: [
          [0, 0],
          [1, 0],
          [2, 2_000],
        ],
        problem: "",
      },
      {
        metric: "connectionsNewPerSecond",
        points: [
          [0, 0],
          [1, 0],
          [2, 0.1],
        ],
        problem: "",
      },
    ]);
  });

  it("that parses HTTP counts requests instead of connections", async () => {
    const found = await findOne((await made.classic("HTTP")).address);
    expect((await read([found])).map(({ metric }) => metric)).toEqual(["bothWaysBps"]);
  });
});

describe("the search for balancers", () => {
  it("uses the name in a Service's status, in any spelling", async () => {
    const { address, id } = await made.network();
    for (const spelled of [address, address.toUpperCase(), `${address}.`, `dualstack.${address}`])
      expect(await findOne(spelled)).toMatchObject({ address: spelled, kind: "network", id });
  });

  it("finds one balancer whose creation was requested again, as after a lost connection", async () => {
    const [first, second] = [await made.network("repeated"), await made.network("repeated")];
    expect(second).toEqual(first);
    expect((await find(first.address)).found).toHaveLength(1);
    await expect(made.network("repeated", "application")).rejects.toMatchObject({
      name: "DuplicateLoadBalancerNameException",
    });
  });

  it("ignores a balancer of another region with the same name and traffic", async () => {
    const name = `k8s-twin-${Date.now().toString(36)}`;
    const theirs = await elsewhere.network(name);
    await elsewhere.measure(theirs, minute(1), { NewFlowCount: 6_000 });
    const before = await find(theirs.address);
    expect(before.found).toEqual([]);
    expect(before.problems).toEqual([
      { address: theirs.address, message: expect.stringContaining("AWS has no load balancer of the name") },
    ]);
    const ours = await made.network(name);
    await made.measure(ours, minute(1), { NewFlowCount: 60 });
    const { found } = await find(ours.address, theirs.address);
    expect(found.map((each) => each.address)).toEqual([ours.address]);
    expect((await read(found))[2]?.points[1]).toEqual([1, 1]);
  });

  it("names deleted balancers and unsupported types, and finds the others", async () => {
    const [gone, there, app] = [
      await made.network(),
      await made.network(),
      await made.network(undefined, "application"),
    ];
    await made.remove(gone);
    const { found, problems } = await find(gone.address, there.address, app.address);
    expect(found.map((each) => each.address)).toEqual([there.address]);
    expect(problems.map((each) => each.message)).toEqual([
      expect.stringMatching(/it was deleted, or is in another region or account$/),
      expect.stringContaining("of the type application"),
    ]);
  });

  it("sends one request even without names, so that an invalid key is detected before there is a balancer", async () => {
    front.requestCounts.clear();
    expect(await find()).toEqual({ found: [], problems: [] });
    expect([...front.requestCounts]).toEqual([["DescribeLoadBalancers", 1]]);
    front.answer = refuse(403, "InvalidClientTokenId");
    await expect(find()).rejects.toThrow("set a valid one");
    front.answer = null;
  });
});

it("requests at most 500 metrics at once", async () => {
  const balancer = await findOne((await made.network()).address);
  const many = Array.from({ length: 334 }, (_, index) => ({ ...balancer, address: `b${index}` }));
  front.requestCounts.clear();
  const series = await driver.read(many, span, never);
  expect(series).toHaveLength(1_002);
  expect(series.every(({ values, problem }) => values.length === 3 && problem === "")).toBe(true);
  expect(front.requestCounts.get("GetMetricData")).toBe(3);
});
