import dns from "node:dns";
import { createServer, type RequestListener, type Server } from "node:http";
import { DescribeVpcsCommand } from "@aws-sdk/client-ec2";
import { cloudRoute } from "@fairlead/domain/cloud";
import { afterEach, describe, expect, it, vi } from "vitest";
import { CloudRefused } from "../../aws-api/cloud-refused.ts";
import { testCredentials } from "../testing/test-vpc.ts";
import { openEc2 } from "./ec2.ts";

type Found = (error: null, found: { address: string; family: number }[]) => void;

const never = new AbortController().signal;
const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
}

function ask(endpoint: string, allowed: readonly string[] = [endpoint]): Promise<unknown> {
  const settings = { provider: "aws", region: "eu-central-1", endpoint, method: "secondary-address" };
  const ec2 = openEc2(cloudRoute.parse(settings), testCredentials, allowed).during(never);
  return ec2.ask(new DescribeVpcsCommand({}), "DescribeVpcs");
}

async function failureOf(call: Promise<unknown>): Promise<Error> {
  const failure: unknown = await call.catch((error: unknown) => error);
  if (failure instanceof Error) return failure;
  throw new Error("it did not fail");
}

describe("a request to an endpoint", () => {
  it("returns the response of an EC2 API", async () => {
    const url = await serve((_, response) =>
      response.end("<DescribeVpcsResponse><vpcSet><item><vpcId>vpc-1</vpcId></item></vpcSet></DescribeVpcsResponse>"),
    );
    expect(await ask(url)).toMatchObject({ Vpcs: [{ VpcId: "vpc-1" }] });
  });

  it("is not sent if the endpoint is not allowed, and no connection is opened", async () => {
    let requests = 0;
    const url = await serve((_, response) => {
      requests += 1;
      response.end();
    });
    for (const endpoint of [url, url.replace("http:", "https:"), url.replace("127.0.0.1", "localhost")]) {
      const failure = await failureOf(ask(endpoint, []));
      expect(failure).toBeInstanceOf(CloudRefused);
      expect(failure.message).toContain("FAIRLEAD_CLOUD_ENDPOINTS");
    }
    expect(requests).toBe(0);
  });

  it("is not sent if its name resolves to a private address, even if it was public when it was set", async () => {
    let connections = 0;
    const url = await serve((_, response) => response.end());
    servers[0]?.on("connection", () => {
      connections += 1;
    });
    const lookup = vi
      .spyOn(dns, "lookup")
      .mockImplementation(((_: string, __: object, found: Found) =>
        found(null, [{ address: "127.0.0.1", family: 4 }])) as unknown as typeof dns.lookup);
    const failure = await failureOf(ask(url.replace("http://127.0.0.1", "https://ec2.example"), []));
    lookup.mockRestore();
    expect(failure).toBeInstanceOf(CloudRefused);
    expect(failure.message).toContain("resolves to no public address");
    expect(connections).toBe(0);
  });

  it("follows no redirect", async () => {
    let reached = 0;
    const inner = await serve((_, response) => {
      reached += 1;
      response.end();
    });
    for (const status of [301, 302, 303, 307, 308]) {
      const url = await serve((_, response) => response.writeHead(status, { location: `${inner}/secret` }).end());
      const failure = await failureOf(ask(url));
      expect(failure).toBeInstanceOf(CloudRefused);
      expect(failure.message).toContain(`refuses DescribeVpcs with status ${status}`);
    }
    expect(reached).toBe(0);
  });

  it.each([
    [200, "the controller's role: hunter2"],
    [200, "<a><b>hunter2</b></a>"],
    [404, "<html>hunter2</html>"],
    [403, "<Response><Errors><Error><Code>hunter2</Code><Message>hunter2</Message></Error></Errors></Response>"],
    [401, '{"hunter2": "hunter2"}'],
  ])("never quotes the response of another server (%s %s)", async (status, body) => {
    const url = await serve((_, response) => response.writeHead(status, "hunter2", { "x-hunter2": "1" }).end(body));
    const result = await ask(url).catch((error: unknown) => error);
    const text = result instanceof Error ? result.message : JSON.stringify(result);
    expect(text).not.toContain("hunter2");
    if (status >= 400) expect(text).toContain(`with status ${status}`);
  });

  it("aborts an endless response", async () => {
    let sent = 0;
    const url = await serve((_, response) => {
      const chunk = Buffer.alloc(1024 * 1024, "x");
      const more = () => {
        while (!response.destroyed && sent < 400) {
          sent += 1;
          if (!response.write(chunk)) return void response.once("drain", more);
        }
      };
      more();
    });
    const failure = await failureOf(ask(url));
    expect(failure.message).toContain("not that of an EC2 API");
    // Three attempts, each limited, plus the data in transit.
    expect(sent).toBeLessThan(150);
  });
});
