import { openDb } from "@fairlead/db";
import { jsonLog } from "@fairlead/telemetry";
import { startGateway } from "../../../apps/controller/src/gateway/index.ts";
import { startMeters } from "../../../apps/controller/src/meters/index.ts";

// Only the gateway and the meters, in their own process, so that their processor use can be measured.
// Arguments: DATABASE_URL PORT.

const [databaseUrl = "", port = ""] = process.argv.slice(2);
const db = openDb(databaseUrl, { connections: 10, applicationName: "fairlead-controller" });
const log = jsonLog((line) => process.stderr.write(line));
const secret = "the secret of a benchmark, not a real one";
const gateway = await startGateway({ db, databaseUrl, secret, host: "127.0.0.1", port: Number(port), log });
const meters = await startMeters({ db, log });
process.send?.("ready");
process.once("SIGTERM", async () => {
  await meters.stop();
  await gateway.stop();
  process.exit(0);
});
