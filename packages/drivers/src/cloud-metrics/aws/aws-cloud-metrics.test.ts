import { createServer, type Server, type ServerResponse } from "node:http";
import { cloudMetrics } from "@fairlead/domain/cloud";
import { afterEach, describe, expect, it } from "vitest";
import { CloudRefused } from "../../aws-api/cloud-refused.ts";
import { testCredentials } from "../../cloud-route/testing/test-vpc.ts";
import type { FoundBalancer } from "../cloud-metrics.ts";
import { awsCloudMetrics } from "./aws-cloud-metrics.ts";

const never = new AbortController().signal;
const minute = (number: number) => new Date(Date.UTC(2026, 10, 25, 12, number));
const span = { from: minute(0), to: minute(3), quietBefore: minute(3) };
const balancer: FoundBalancer = {
  address: "a.elb.amazonaws.com",
  kind: "network",
  id: "net/a/1",
  metrics: ["connectionsLive"],
  since: minute(-60),
};

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

type MetricsRequest = { NextToken?: string };
async function serve(
  answer: (response: ServerResponse, request: MetricsRequest, count: number) => unknown,
): Promise<string> {
  let count = 0;
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    answer(response, body.startsWith("{") ? JSON.parse(body) : {}, ++count);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
}

function driverAt(url: string, allowed = [url]) {
  const at = { monitoringEndpoint: url, balancingEndpoint: url };
  const settings = cloudMetrics.parse({ provider: "aws", region: "eu-central-1", ...at });
  return awsCloudMetrics({ allowedEndpoints: allowed })(settings, testCredentials);
}
const readAt = async (url: string, allowed?: string[]) => {
  const [series] = await driverAt(url, allowed).read([balancer], span, never);
  if (!series) throw new Error("it read nothing");
  const { atMs, values, problem } = series;
  return { points: atMs.map((at, index) => [(at - span.from.getTime()) / 60_000, values[index]]), problem };
};
async function failureOf(call: Promise<unknown>): Promise<Error> {
  const failure: unknown = await call.catch((error: unknown) => error);
  if (!(failure instanceof Error)) throw new Error("it did not fail");
  for (const part of Object.values(testCredentials)) expect(failure.message).not.toContain(part);
  return failure;
}

const json = (response: ServerResponse, body: object, status = 200) =>
  response.writeHead(status, { "content-type": "application/x-amz-json-1.0" }).end(JSON.stringify(body));
type Result = { StatusCode?: string; Timestamps?: number[]; Values?: number[]; Id?: string };
const page = (result: Result | null, NextToken?: string) => ({
  MetricDataResults: result ? [{ Id: "m0", StatusCode: "Complete", ...result }] : [],
  NextToken,
});
const at = (...numbers: number[]) => numbers.map((number) => minute(number).getTime() / 1_000);
const refusal = (code: string) => ({
  __type: `com.amazonaws.cloudwatch#${code}`,
  message: testCredentials.accessKeyId,
});

describe("a response of CloudWatch", () => {
  it("is read over all pages, and is complete if the last page is", async () => {
    const tokens: unknown[] = [];
    const url = await serve((response, request) => {
      tokens.push(request.NextToken);
      if (request.NextToken === "2") return json(response, page({ Timestamps: at(2), Values: [3] }));
      const next = request.NextToken === undefined ? "1" : "2";
      json(
        response,
        page({ StatusCode: "PartialData", Timestamps: at(Number(next) - 1), Values: [Number(next)] }, next),
      );
    });
    expect(await readAt(url)).toEqual({
      points: [
        [0, 1],
        [1, 2],
        [2, 3],
      ],
      problem: "",
    });
    expect(tokens).toEqual([undefined, "1", "2"]);
  });

  it.each([
    ["PartialData", "(PartialData)"],
    ["InternalError", "(InternalError)"],
    ["hunter2", "(no documented status)"],
  ])("with the status %s leaves missing values unknown", async (StatusCode, words) => {
    const url = await serve((response) => json(response, page({ StatusCode, Timestamps: at(1), Values: [7] })));
    const read = await readAt(url);
    expect(read.points).toEqual([[1, 7]]);
    expect(read.problem).toBe(`AWS returned ActiveFlowCount only partially ${words}`);
  });

  it("without a metric leaves it unknown", async () => {
    const url = await serve((response) => json(response, page(null)));
    expect(await readAt(url)).toEqual({ points: [], problem: expect.stringContaining("only partially") });
  });

  it("that forbids a metric is rejected with the fix", async () => {
    const url = await serve((response) => json(response, page({ StatusCode: "Forbidden" })));
    const failure = await failureOf(readAt(url));
    expect(failure).toBeInstanceOf(CloudRefused);
    expect(failure.message).toContain("cloudwatch:GetMetricData");
  });

  it.each([
    ["of a minute that was not requested", at(3), [1]],
    ["within a minute", [minute(1).getTime() / 1_000 + 30], [1]],
    ["below zero", at(1), [-1]],
    ["that are not numbers", at(1), ["hunter2"]],
    ["without a value", at(1), []],
  ])("with points %s is rejected", async (_, Timestamps, Values) => {
    const url = await serve((response) => json(response, page({ Timestamps, Values: Values as number[] })));
    expect((await failureOf(readAt(url))).message).not.toContain("hunter2");
  });

  it("with endless pages is aborted", async () => {
    let pages = 0;
    const url = await serve((response) => {
      pages += 1;
      json(response, page({ StatusCode: "PartialData" }, `${pages}`));
    });
    expect((await failureOf(readAt(url))).message).toBe(
      "the answer to GetMetricData does not end: it has more than 50 pages",
    );
    expect(pages).toBe(50);
  });

  it("of endless length is aborted", async () => {
    let sent = 0;
    const url = await serve((response) => {
      const chunk = Buffer.alloc(1024 * 1024, "x");
      const more = () => {
        while (!response.destroyed && sent < 400) {
          sent += 1;
          if (!response.write(chunk)) return void response.once("drain", more);
        }
      };
      more();
    });
    await failureOf(readAt(url));
    // Three attempts, each limited, plus the data in transit.
    expect(sent).toBeLessThan(150);
  });

  it("that is cut off is a temporary error, and ignored", async () => {
    const url = await serve((response) => {
      response.writeHead(200, { "content-type": "application/x-amz-json-1.0", "content-length": "1000" });
      response.write('{"MetricDataResults": [{"Id": "m0", "StatusCode": "Complete"');
      setTimeout(() => response.destroy(), 20);
    });
    expect(await failureOf(readAt(url))).not.toBeInstanceOf(CloudRefused);
  });
});

describe("an error", () => {
  it.each([
    ["UnrecognizedClientException", 403, "set a valid one"],
    ["InvalidSignatureException", 403, "set both again"],
    ["ExpiredTokenException", 403, "the access key expired"],
    ["AccessDeniedException", 400, "permission cloudwatch:GetMetricData; allow it in the key's policy"],
    ["SomethingOfNextYear", 400, "refuses GetMetricData with status 400"],
  ])("of CloudWatch, %s, is reported with its fix", async (code, status, words) => {
    const url = await serve((response) => json(response, refusal(code), status));
    const failure = await failureOf(readAt(url));
    expect(failure).toBeInstanceOf(CloudRefused);
    expect(failure.message).toContain(words);
  });

  it.each([
    ["InvalidClientTokenId", 403, "set a valid one"],
    ["SignatureDoesNotMatch", 403, "set both again"],
    ["AccessDenied", 403, "permission elasticloadbalancing:DescribeLoadBalancers; allow it in the key's policy"],
  ])("of Elastic Load Balancing, %s, is reported with its fix", async (code, status, words) => {
    const body = `<ErrorResponse><Error><Code>${code}</Code><Message>${testCredentials.accessKeyId}</Message></Error></ErrorResponse>`;
    const url = await serve((response) => response.writeHead(status, { "content-type": "text/xml" }).end(body));
    const failure = await failureOf(driverAt(url).find([balancer.address], never));
    expect(failure).toBeInstanceOf(CloudRefused);
    expect(failure.message).toContain(words);
  });

  it("for throttling is retried, and is temporary if it persists", async () => {
    let isOver = true;
    const counts: number[] = [];
    const url = await serve((response, _, count) => {
      counts.push(count);
      if (isOver && count === 3) json(response, page({}));
      else json(response, refusal("ThrottlingException"), 400);
    });
    expect((await readAt(url)).points).toHaveLength(3);
    expect(counts).toHaveLength(3);
    isOver = false;
    const failure = await failureOf(readAt(url));
    expect(failure).not.toBeInstanceOf(CloudRefused);
    expect(failure.message).toContain("is throttling GetMetricData");
    expect(counts).toHaveLength(6);
  });
});

describe("an endpoint", () => {
  it("that redirects is not followed", async () => {
    let reached = 0;
    const inner = await serve((response) => {
      reached += 1;
      response.end();
    });
    const url = await serve((response) => response.writeHead(307, { location: `${inner}/secret` }).end());
    for (const call of [readAt(url), driverAt(url).find([balancer.address], never)]) {
      const failure = await failureOf(call);
      expect(failure).toBeInstanceOf(CloudRefused);
      expect(failure.message).toContain("with status 307");
    }
    expect(reached).toBe(0);
  });

  it("that is not allowed is not queried", async () => {
    let requests = 0;
    const url = await serve((response) => {
      requests += 1;
      response.end();
    });
    for (const each of [readAt(url, []), driverAt(url, []).find([balancer.address], never)])
      expect((await failureOf(each)).message).toContain("FAIRLEAD_CLOUD_ENDPOINTS");
    expect(requests).toBe(0);
  });

  it("that hangs is left as soon as the signal is aborted", async () => {
    const url = await serve(() => undefined);
    const stop = new AbortController();
    const reading = driverAt(url).read([balancer], span, stop.signal);
    setTimeout(() => stop.abort(new Error("stopped")), 50);
    expect((await failureOf(reading)).message).toBe("stopped");
  });
});
