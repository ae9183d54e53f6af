import { type Served, serveFetch } from "@fairlead/api/testing";

/** serveIssuer serves the discovery document of an identity provider. */
export function serveIssuer(): Promise<Served> {
  return serveFetch(async (request) => {
    const issuer = `http://${request.headers.get("host")}`;
    const [authorization_endpoint, token_endpoint, jwks_uri] = [`${issuer}/auth`, `${issuer}/token`, `${issuer}/jwks`];
    return Response.json({ issuer, authorization_endpoint, token_endpoint, jwks_uri });
  });
}
