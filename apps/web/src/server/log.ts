import { jsonLog } from "@fairlead/telemetry";

export const log = jsonLog((line) => process.stderr.write(line), { process: "web" });
