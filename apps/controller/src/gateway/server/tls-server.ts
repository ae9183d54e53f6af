import type { IncomingMessage, ServerResponse } from "node:http";
import {
  createSecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import { type Authority, issueServerCertificate } from "@fairlead/services/gateway";
import type { Log } from "@fairlead/telemetry";

export type TlsHandler = (
  request: IncomingMessage | Http2ServerRequest,
  response: ServerResponse | Http2ServerResponse,
) => void;

export type TlsServerOptions = {
  authority: Authority;
  names: readonly string[];
  host: string;
  port: number;
  handler: TlsHandler;
  log: Log;
  now: () => Date;
};

export type TlsServer = {
  port: number;
  /** Creates a new certificate if the current one expires soon. Also runs every hour by itself. */
  renew: () => Promise<void>;
  /** Waits for pending answers, but no longer than this. */
  stop: (withinMs: number) => Promise<void>;
};

const renewBeforeMs = 10 * 24 * 3_600_000;
const lookAtCertificateMs = 3_600_000;
/** A connection that is idle for this long is dead: streams send something every few seconds. */
const idleMs = 120_000;

/** startTlsServer listens with HTTP/2 and 1.1. It requests a client certificate, and the handler checks it. */
export async function startTlsServer(options: TlsServerOptions): Promise<TlsServer> {
  const { authority, names, log, now } = options;
  let issued = await issueServerCertificate(authority, names, now());
  const context = () => ({ cert: issued.chain, key: issued.key, ca: authority.pem });
  const server = createSecureServer(
    {
      ...context(),
      allowHTTP1: true,
      requestCert: true,
      rejectUnauthorized: false,
      minVersion: "TLSv1.2",
      settings: { maxConcurrentStreams: 32 },
    },
    (request, response) => handle(options, request, response),
  );
  const sessions = new Set<ServerHttp2Session>();
  const sockets = new Set<Socket>();
  server.on("session", (session) => {
    sessions.add(session);
    session.once("close", () => sessions.delete(session));
    session.setTimeout(idleMs, () => session.destroy());
    session.on("error", () => {}); // the other end is gone
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.on("timeout", (socket: Socket) => socket.destroy());

  async function renew(): Promise<void> {
    if (issued.expiresAt.getTime() - now().getTime() > renewBeforeMs) return;
    issued = await issueServerCertificate(authority, names, now());
    server.setSecureContext(context());
    log.info("renewed the gateway's certificate", { expiresAt: issued.expiresAt });
  }

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  const renewing = setInterval(
    () => renew().catch((err) => log.error("could not renew the gateway's certificate", { err })),
    lookAtCertificateMs,
  );
  return {
    port: (server.address() as AddressInfo).port,
    renew,
    async stop(withinMs) {
      clearInterval(renewing);
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const session of sessions) session.close();
      const impatient = setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, withinMs);
      await closed;
      clearTimeout(impatient);
    },
  };
}

/** A request that breaks HTTP must not break the process: the adapter throws on some before any handler runs. */
function handle(
  { handler, log }: TlsServerOptions,
  request: Http2ServerRequest | IncomingMessage,
  response: Http2ServerResponse | ServerResponse,
): void {
  try {
    handler(request, response);
  } catch (err) {
    log.warn("refused a malformed request", { err });
    response.statusCode = 400;
    response.end();
  }
}
