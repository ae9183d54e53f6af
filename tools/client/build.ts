import path from "node:path";
import { buildClient } from "./build-client.ts";

// `npm run build --workspace @fairlead/client`: builds the folder to publish, with `npm publish packages/client/dist`.
buildClient(path.resolve(import.meta.dirname, "../../packages/client/dist"));
