import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

/** A request to the cloud: its action, its key, and how many of this action there were so far. */
export type FrontRequest = { action: string; key: string; body: string; count: number };
export type FrontAnswer = (request: FrontRequest, response: ServerResponse) => boolean;

/** AwsFront is a proxy in front of the emulator that can return errors of AWS. */
export type AwsFront = {
  url: string;
  /** Answers a request instead of the emulator if it returns true. */
  answer: FrontAnswer | null;
  /** The creation time to report for load balancers, which the emulator only creates now. */
  madeAt: Date | null;
  /** The number of requests by action. */
  requestCounts: Map<string, number>;
  close: () => Promise<void>;
};

const forwarded = ["content-type", "authorization", "x-amz-target", "x-amz-date"];

/** startAwsFront starts one in front of an emulator, by default on a free port. */
export async function startAwsFront(behind: string, port = 0): Promise<AwsFront> {
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request);
    const target = String(request.headers["x-amz-target"] ?? "");
    const action = target.split(".")[1] ?? /(?:^|&)Action=(\w+)/.exec(body)?.[1] ?? "";
    const key = /Credential=([^/]+)\//.exec(request.headers.authorization ?? "")?.[1] ?? "";
    const count = (front.requestCounts.get(action) ?? 0) + 1;
    front.requestCounts.set(action, count);
    if (front.answer?.({ action, key, body, count }, response)) return;
    const headers = forwarded.map((name) => [name, String(request.headers[name] ?? "")]);
    const answer = await fetch(`${behind}${request.url}`, {
      method: "POST",
      headers: Object.fromEntries(headers),
      body,
    });
    const text = await answer.text();
    const made = front.madeAt?.toISOString();
    const responseText = made ? text.replaceAll(/<CreatedTime>[^<]*/g, `<CreatedTime>${made}`) : text;
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" }).end(responseText);
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const address = server.address();
  const front: AwsFront = {
    url: `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`,
    answer: null,
    madeAt: null,
    requestCounts: new Map(),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return front;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** refuse returns an error like CloudWatch, in JSON, or like Elastic Load Balancing, in XML. Its message contains the access key. */
export function refuse(status: number, code: string): FrontAnswer {
  return ({ action, key }, response) => {
    const isJson = action === "GetMetricData";
    const message = `of ${key}`;
    const body = isJson
      ? JSON.stringify({ __type: `com.amazonaws.cloudwatch#${code}`, message })
      : `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`;
    response.writeHead(status, { "content-type": isJson ? "application/x-amz-json-1.0" : "text/xml" }).end(body);
    return true;
  };
}
