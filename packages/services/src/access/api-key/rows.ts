import { viewSource } from "@fairlead/db";
import { apiKey } from "@fairlead/domain/access";

export const apiKeySource = viewSource("api_key_view", apiKey);
