import type { Db } from "@fairlead/db";
import type { Log, Metrics } from "@fairlead/telemetry";

export type GatewayOptions = {
  db: Db;
  /** For the connection that listens: notifications need a separate one. */
  databaseUrl: string;
  /** Encrypts the certificate authority's key. */
  secret: string;
  host: string;
  /** 0 for any free port. */
  port: number;
  /** Additional names and addresses that agents may connect to, for the server's certificate. */
  names?: readonly string[];
  log: Log;
  metrics?: Metrics;
  now?: () => Date;
  /** How often an idle stream sends a keep-alive. */
  keepAliveMs?: number;
  /** How often to look for changes whose notification was lost. */
  pollMs?: number;
  /** How long the gateway waits for pending answers when it stops. */
  stopWithinMs?: number;
};
