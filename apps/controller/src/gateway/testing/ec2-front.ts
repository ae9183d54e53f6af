import { createServer, type Server } from "node:http";
import { testCredentials } from "@fairlead/drivers/aws-testing";

export type Answer = { status: number; body: string };

/** Ec2Front stands before the emulator, as one server with accounts of its own, and says what AWS would say on a bad day. */
export type Ec2Front = {
  url: string;
  /** Says to a request what it is answered instead of by the emulator; null for nothing. */
  answer: ((asked: { action: string; key: string }) => Answer | null) | null;
  /** After this action, requests hang. */
  after: { action: string; reached: () => void } | null;
  /** The access keys that came so far. */
  keys: Set<string>;
  close: () => Promise<void>;
};

/** refusal is AWS's, and tells what it should not. */
export function refusal(status: number, code: string): () => Answer {
  const gossip = `of ${testCredentials.accessKeyId}`;
  const body = `<Response><Errors><Error><Code>${code}</Code><Message>${gossip}</Message></Error></Errors><RequestID>r</RequestID></Response>`;
  return () => ({ status, body });
}

/** startEc2Front makes a front. accountOf says which account a key is of; all of one without it. */
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
    const said = front.answer?.({ action, key });
    if (said) return void response.writeHead(said.status).end(said.body);
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
