import { viewSource } from "@fairlead/db";
import { identityProvider } from "@fairlead/domain/access";

export const identityProviderSource = viewSource("identity_provider_view", identityProvider);
