import { openSecretBox, type SecretBox } from "../../secret/index.ts";

/** What the single sign-on plugin of better-auth reads from the opened sso_provider.oidc_config. */
export type OidcConfig = {
  issuer: string;
  clientId: string;
  clientSecret: string;
  discoveryEndpoint: string;
  authorizationEndpoint: string;
  tokenEndpoint: string;
  tokenEndpointAuthentication: "client_secret_basic" | "client_secret_post";
  userInfoEndpoint?: string;
  jwksEndpoint: string;
  scopes: string[];
  pkce: true;
};

/** identityProviderBox seals and opens oidc_config, which holds the client secret. */
export function identityProviderBox(secret: string): SecretBox {
  return openSecretBox(secret, "identity-provider");
}
