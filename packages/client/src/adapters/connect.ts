import { connect, isIP, Socket, type TcpNetConnectOpts } from "node:net";
import type { Duplex } from "node:stream";
import { type ConnectionOptions, connect as connectTls } from "node:tls";
import { asMapError, MapError } from "../errors.ts";
import type { Endpoint } from "../map/address.ts";
import type { AddressMapper } from "../mapper/address-mapper.ts";

type Mapper = Pick<AddressMapper, "mapOrThrow">;

/** The connection options that net, http and similar modules pass. */
export type DialOptions = Omit<Partial<TcpNetConnectOpts>, "host" | "port"> & {
  host?: string | null | undefined;
  port?: number | string | null | undefined;
};

/** http calls this with arguments, net without. */
export type OnConnect = (error: Error | null, socket: Duplex) => void;

/** connectFor is net.connect() with address mapping: a `createConnection` for http.request and similar APIs. */
export function connectFor(mapper: Mapper): (options: DialOptions, onConnect?: OnConnect) => Socket {
  return (options, onConnect) =>
    dial(mapper, options.host ?? "localhost", Number(options.port), ({ host, port }) => {
      const socket: Socket = connect({ ...options, host, port }, () => onConnect?.(null, socket));
      return socket;
    });
}

/**
 * connectTlsFor is tls.connect() with address mapping. The SNI name is the map's server name, or else the host that was
 * passed; the certificate must be valid for that name.
 */
export function connectTlsFor(mapper: Mapper): (options: ConnectionOptions, onConnect?: () => void) => Socket {
  return (options, onConnect) => {
    const host = options.host ?? "localhost";
    return dial(mapper, host, Number(options.port), ({ serverName, ...at }) =>
      connectTls({ ...sniFor(serverName ?? host), ...options, ...at }, onConnect),
    );
  };
}

export type SocketRequest = { host: string; port: number; ssl?: ConnectionOptions; onConnect: () => void };

/** socketFactoryFor is the `socketFactory` of a KafkaJS client and of compatible clients. */
export function socketFactoryFor(mapper: Mapper, keepAliveMs = 60_000): (request: SocketRequest) => Socket {
  const plain = connectFor(mapper);
  const secure = connectTlsFor(mapper);
  return ({ host, port, ssl, onConnect }) => {
    const socket = ssl ? secure({ ...ssl, host, port }, onConnect) : plain({ host, port }, onConnect);
    return socket.setKeepAlive(true, keepAliveMs);
  };
}

/** An address that can't be mapped is a socket error, like an address that can't be reached. */
function dial(mapper: Mapper, host: string, port: number, open: (at: Endpoint) => Socket): Socket {
  try {
    return open(mapper.mapOrThrow(host, port));
  } catch (error) {
    const known = error instanceof MapError ? error : asMapError(error);
    return new Socket().destroy(known);
  }
}

/** SNI allows names only, not addresses. */
function sniFor(host: string): { servername?: string } {
  return isIP(host) === 0 ? { servername: host } : {};
}
