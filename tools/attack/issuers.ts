import { createServer, type RequestListener, type Server } from "node:http";
import type { Results } from "./results.ts";
import type { Target } from "./target.ts";

/** attackIssuers makes the dashboard connect to servers of its own network, as the issuer of an identity provider. */
export async function attackIssuers(target: Target, results: Results): Promise<void> {
  const { stack, issuerPort, metricsUrl, api } = target;
  const allowed = `http://127.0.0.1:${issuerPort}`;
  const { server, calls, answerWith } = await serveIssuer(issuerPort);
  const set = (issuer: string, name = "attack", key = target.key) => {
    const spec = { name, issuer, clientId: "c", clientSecret: "s", domains: ["attack.test"] };
    return api("/identity-providers", { method: "POST", body: spec, key });
  };
  const detail = ({ text }: { text: string }) => (JSON.parse(text) as { detail: string }).detail;

  for (const [what, issuer] of [
    ["with a query", `${allowed}/?a=b`],
    ["with a fragment", `${allowed}/#a`],
    ["with a user name", `http://a@127.0.0.1:${issuerPort}`],
    ["on loopback", stack.url],
    ["on loopback (the controller's metrics)", metricsUrl],
    ["on loopback, in decimal", "http://2130706433"],
    ["on loopback, IPv6", "http://[::1]"],
    ["on loopback, IPv4 in IPv6", "https://[::ffff:127.0.0.1]"],
    ["on localhost", "https://localhost"],
    ["on a private address", "https://10.0.0.1"],
    ["on a unique local address", "https://[fd00::1]"],
    ["on a link-local address", "https://169.254.1.1"],
    ["at the metadata service of a cloud", "http://169.254.169.254"],
    ["at the metadata service of a cloud, IPv6", "http://[fd00:ec2::254]"],
    ["without HTTPS", "http://login.example.com"],
    ["with another scheme", "file:///etc/passwd"],
  ] as const)
    await results.check(`issuer ${what}: ${issuer}`, async () => {
      const { status } = await set(issuer);
      return { refused: status === 422 && calls.length === 0, seen: `${status}, ${calls.length} requests` };
    });

  answerWith((_, response) => response.writeHead(302, { location: `${stack.url}/healthz` }).end());
  await results.check("issuer that redirects to another host", async () => {
    const { status } = await set(allowed);
    return { refused: status === 422, seen: `${status}, after ${calls.length} request` };
  });
  for (const [what, field] of [
    ["keys", "jwks_uri"],
    ["token endpoint", "token_endpoint"],
    ["user info", "userinfo_endpoint"],
  ] as const) {
    answerWith((_, response) =>
      response.end(JSON.stringify({ ...documentOf(allowed), [field]: "http://169.254.169.254/latest" })),
    );
    await results.check(`issuer whose ${what} are at an internal server`, async () => {
      const { status } = await set(allowed);
      return { refused: status === 422, seen: String(status) };
    });
  }
  await results.check("the answer distinguishes kinds of network failures", async () => {
    const seen = new Set<string>();
    for (const listener of [
      (_, response) => response.socket?.destroy(),
      (_, response) => response.writeHead(500).end(),
      (_, response) => response.writeHead(302, { location: "https://10.0.0.1/" }).end(),
      (_, response) => response.end("not JSON"),
    ] satisfies RequestListener[]) {
      answerWith(listener);
      seen.add(detail(await set(allowed)));
    }
    await new Promise((resolve) => server.close(resolve));
    seen.add(detail(await set(allowed)));
    return { refused: seen.size === 1, seen: `${seen.size} message for 5 failures` };
  });
  const again = await serveIssuer(issuerPort);
  again.answerWith((_, response) => response.end(JSON.stringify(documentOf(allowed))));
  await results.check("the name of an identity provider shows that another organisation has it", async () => {
    const statuses = [(await set(allowed, "works")).status, (await set(allowed, "works", target.victimKey)).status];
    return { refused: statuses.every((status) => status === 201), seen: statuses.join(", ") };
  });
  again.server.close();
  again.server.closeAllConnections();
}

function documentOf(issuer: string) {
  const [authorization_endpoint, token_endpoint, jwks_uri] = [`${issuer}/auth`, `${issuer}/token`, `${issuer}/jwks`];
  return { issuer, authorization_endpoint, token_endpoint, jwks_uri, userinfo_endpoint: `${issuer}/me` };
}

async function serveIssuer(port: number): Promise<{
  server: Server;
  calls: string[];
  answerWith: (listener: RequestListener) => void;
}> {
  const calls: string[] = [];
  let answer: RequestListener = (_, response) => response.writeHead(404).end();
  const server = createServer((request, response) => {
    calls.push(request.url ?? "");
    response.setHeader("connection", "close");
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    server,
    calls,
    answerWith(listener) {
      calls.length = 0;
      answer = listener;
    },
  };
}
