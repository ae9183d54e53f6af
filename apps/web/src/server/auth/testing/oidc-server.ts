import { generateKeyPairSync } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import Provider, { type Configuration } from "oidc-provider";

export type Person = { sub: string; email: string; email_verified: boolean; name: string };

export type OidcServer = {
  issuer: string;
  client: { id: string; secret: string };
  /** The user at the provider's login page. */
  person: Person;
  /** Restarts the server with new keys and no state, at the same address. */
  restart: () => Promise<void>;
  stop: () => Promise<void>;
};

const client = { id: "fairlead", secret: "the-client-secret-of-the-test" };

/**
 * startOidcServer runs a real OpenID Connect server on the loopback. Its login page signs in `person` without a prompt.
 */
export async function startOidcServer(redirectUri: string, port = 0): Promise<OidcServer> {
  let http = await listen(port);
  const address = http.address();
  const issuer = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
  const server: OidcServer = {
    issuer,
    client,
    person: { sub: "1", email: "ada@example.com", email_verified: true, name: "Ada" },
    async restart() {
      await close(http);
      http = await listen(Number(new URL(issuer).port));
      serve(http, server, redirectUri);
    },
    stop: () => close(http),
  };
  serve(http, server, redirectUri);
  return server;
}

function serve(http: Server, server: OidcServer, redirectUri: string): void {
  const provider = new Provider(server.issuer, configuration(server, redirectUri));
  const callback = provider.callback();
  http.on("request", (request, response) => {
    if (!request.url?.startsWith("/interaction/")) return void callback(request, response);
    logInAndConsent(provider, server.person.sub, request, response).catch(() => response.writeHead(500).end());
  });
}

async function logInAndConsent(
  provider: Provider,
  accountId: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { prompt, params } = await provider.interactionDetails(request, response);
  if (prompt.name === "login")
    return provider.interactionFinished(request, response, { login: { accountId, remember: false } });
  const grant = new provider.Grant({ accountId, clientId: String(params.client_id) });
  grant.addOIDCScope("openid email profile");
  return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
}

function configuration(server: OidcServer, redirectUri: string): Configuration {
  return {
    clients: [{ client_id: client.id, client_secret: client.secret, redirect_uris: [redirectUri] }],
    claims: { email: ["email", "email_verified"], profile: ["name"] },
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    jwks: { keys: [newSigningKey()] },
    cookies: { keys: ["only-for-tests"] },
    interactions: { url: (_ctx, interaction) => `/interaction/${interaction.uid}` },
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: async () => ({ ...server.person, sub }) }),
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
  };
}

function newSigningKey() {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return { ...privateKey.export({ format: "jwk" }), kty: "RSA" as const, use: "sig", alg: "RS256" };
}

async function listen(port: number): Promise<Server> {
  const http = createServer();
  await new Promise<void>((resolve, reject) => {
    http.once("error", reject);
    http.listen(port, "127.0.0.1", resolve);
  });
  return http;
}

async function close(http: Server): Promise<void> {
  http.closeAllConnections();
  await new Promise((resolve) => http.close(resolve));
}
