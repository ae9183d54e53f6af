import { createContextValues } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { AgentService, Limit } from "@fairlead/agent-protocol";
import type { Listener } from "@fairlead/db";
import { ensureAuthority, Partitions, routingBox, SeriesIds, sessionKeysBox } from "@fairlead/services/gateway";
import { AgentDirectory } from "./agents/agent-directory.ts";
import { createAgentService, setCaller } from "./agents/agent-service.ts";
import { WatchHub } from "./agents/watch-hub.ts";
import { measureGateway } from "./measure.ts";
import type { GatewayOptions } from "./options.ts";
import { followDeletedSeries } from "./reports/follow-deleted-series.ts";
import { ReportQueue } from "./reports/report-queue.ts";
import { Callers } from "./server/caller.ts";
import { refuseMalformed } from "./server/malformed-messages.ts";
import { startTlsServer, type TlsHandler, type TlsServer } from "./server/tls-server.ts";

export type Gateway = { port: number; renewCertificate: () => Promise<void>; stop: () => Promise<void> };

/** startGateway serves the agent protocol until it is stopped. Any number of gateways may share a database. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { db, databaseUrl, log, now = () => new Date() } = options;
  const authority = await ensureAuthority(db, options.secret, now());
  const directory = new AgentDirectory(db);
  const hub = new WatchHub({ db, databaseUrl, directory, log, pollMs: options.pollMs ?? 5_000 });
  const onBatch = options.metrics
    ? measureGateway(options.metrics, { hub, waiting: () => queue.waitingWeight })
    : undefined;
  const seriesIds = new SeriesIds();
  const queue = new ReportQueue({ db, partitions: new Partitions(), seriesIds }, log, onBatch);
  const callers = new Callers(authority.der);
  const keepAliveMs = options.keepAliveMs ?? 15_000;
  const service = createAgentService({
    db,
    authority,
    directory,
    hub,
    queue,
    log,
    now,
    keepAliveMs,
    boxes: { routing: routingBox(options.secret), sessionKeys: sessionKeysBox(options.secret) },
  });
  const handler = connectNodeAdapter({
    routes: (router) => refuseMalformed(router.service(AgentService, service)),
    contextValues: (request) => setCaller(createContextValues(), callers.of(request)),
    readMaxBytes: Limit.MESSAGE_BYTES,
  });

  const { host, port, names = [] } = options;
  let deletedSeries: Listener | undefined;
  let server: TlsServer;
  try {
    await hub.start();
    deletedSeries = await followDeletedSeries(databaseUrl, seriesIds);
    server = await startTlsServer({ authority, names, host, port, handler: handler as TlsHandler, log, now });
  } catch (error) {
    // Their connections and timers would stay, and a caller that tries again would add to them.
    await Promise.all([hub.stop(), deletedSeries?.stop()]);
    throw error;
  }
  log.info("agents may connect", { host, port: server.port, authority: authority.fingerprint });
  return {
    port: server.port,
    renewCertificate: server.renew,
    async stop() {
      const stopped = server.stop(options.stopWithinMs ?? 5_000);
      await hub.stop();
      await queue.stop();
      await deletedSeries?.stop();
      await stopped;
    },
  };
}
