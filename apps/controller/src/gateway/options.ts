import type { Db } from "@fairlead/db";
import type { Log, Metrics } from "@fairlead/telemetry";

export type GatewayOptions = {
  db: Db;
  /** For the connection that listens; notifications need one of their own. */
  databaseUrl: string;
  /** What the certificate authority's key is sealed with. */
  secret: string;
  host: string;
  /** 0 for any free one. */
  port: number;
  /** More names and addresses that agents may dial, for the server's certificate. */
  names?: readonly string[];
  log: Log;
  metrics?: Metrics;
  now?: () => Date;
  /** How often a stream that has nothing to say says that it lives. */
  keepAliveMs?: number;
  /** How often to look for changes whose notification was lost. */
  pollMs?: number;
  /** How long answers may take to go out when the gateway stops. */
  stopWithinMs?: number;
};
