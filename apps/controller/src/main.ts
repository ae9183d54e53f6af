import { jsonLog } from "@fairlead/telemetry";
import { startController } from "./controller.ts";
import { EnvProblem, readEnv } from "./env.ts";

// The long-running half of the control plane: it reconciles, serves agents, and maintains the time series.

const stopMostMs = 3_500;
const log = jsonLog((line) => process.stdout.write(line));
// Node writes warnings as plain text, which would be the only non-JSON lines.
process.removeAllListeners("warning");
process.on("warning", (warning) => log.warn(warning.message, { warning: warning.name }));

try {
  const controller = await startController(readEnv(), log);
  for (const signal of ["SIGTERM", "SIGINT"] as const)
    process.once(signal, () => {
      log.info("stopping", { signal });
      setTimeout(() => {
        log.warn("a part did not stop in time; exiting without it");
        process.exit(0);
      }, stopMostMs).unref();
      void controller.stop().then(() => process.exit(0));
    });
} catch (error) {
  if (error instanceof EnvProblem) log.error(error.message);
  else log.error("could not start", { err: error });
  process.exit(1);
}
