import { createServer, type Server } from "node:http";
import { testCredentials } from "@fairlead/drivers/aws-testing";

export type Answer = { status: number; body: string };

/** Ec2Front is a proxy in front of the emulator, with its own accounts, that can return errors of AWS. */
export type Ec2Front = {
  url: string;
  /** Returns the response to a request; null to forward it to the emulator. */
  answer: ((request: { action: string; key: string }) => Answer | null) | null;
  /** After this action, requests hang. */
  after: { action: string; reached: () => void } | null;
  /** The access keys received so far. */
  keys: Set<string>;
  close: () => Promise<void>;
};

/** refusal is an error of AWS whose message contains the access key. */
export function refusal(status: number, code: string): () => Answer {
  const message = `of ${testCredentials.accessKeyId}`;
  const body = `<Response><Errors><Error><Code>${code}</Code><Message>${message}</Message></Error></Errors><RequestID>r</RequestID></Response>`;
  return () => ({ status, body });
}

/** startEc2Front starts a front. accountOf returns the account of a key; by default all have the same one. */
export async function startEc2Front(
  behind: string,
  accountOf: (key: string) => string = () => "123456789012",
): Promise<Ec2Front> {
  let isStuck = false;
  const server: Server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const action = /(?:^|&)Action=(\w+)/.exec(body)?.[1] ?? "";
    const key = /Credential=([^/]+)\//.exec(request.headers.authorization ?? "")?.[1] ?? "";
    front.keys.add(key);
    const override = front.answer?.({ action, key });
    if (override) return void response.writeHead(override.status).end(override.body);
    if (!front.after) isStuck = false;
    if (isStuck) return;
    const answer = await fetch(`${behind}${request.url}`, {
      method: "POST",
      headers: {
        "content-type": request.headers["content-type"] ?? "",
        authorization: request.headers.authorization ?? "",
        "x-moto-account-id": accountOf(key),
      },
      body,
    });
    const text = await answer.text();
    if (front.after?.action === action) {
      isStuck = true;
      front.after.reached();
      return;
    }
    response.writeHead(answer.status, { "content-type": "text/xml" }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const front: Ec2Front = {
    url: `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`,
    answer: null,
    after: null,
    keys: new Set(),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return front;
}
