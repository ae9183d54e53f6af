import { randomUUID } from "node:crypto";
import { DomainError } from "@fairlead/domain";
import { authenticateApiKey, type ServiceContext } from "@fairlead/services";
import { createCaller } from "../caller.ts";
import type { ApiContext, Fault, Identity } from "../context.ts";
import { ActorWatch } from "../live/actor-watch.ts";
import { ChoiceHub, type ChoiceHubOptions } from "../live/choice-hub.ts";
import { FeedHub, type FeedHubOptions } from "../live/feed-hub.ts";
import { MapHub, type MapHubOptions } from "../live/map-hub.ts";
import type { StreamOptions } from "../rest/event-stream.ts";
import { restHandler } from "../rest/handler.ts";

export type TestApi = {
  hub: FeedHub;
  maps: MapHub;
  choices: ChoiceHub;
  /** All unexpected failures. Most tests expect none. */
  faults: Fault[];
  handle: (request: Request) => Promise<Response>;
  context: (identity: Identity | null, headers?: Headers) => ApiContext;
  caller: (identity: Identity | null) => ReturnType<typeof createCaller>;
  /** fetch calls the REST handler as an identity; null is an anonymous client. */
  fetch: (as: Identity | null, path: string, init?: RequestInit & { json?: unknown }) => Promise<Response>;
  close: () => void;
};

const actorHeader = "x-test-actor";
/** The header with a test's client address. */
export const addressHeader = "x-test-address";

/** createTestApi is the API without a web server: the same procedures and REST handler over a test's database. */
export function createTestApi(
  service: Pick<ServiceContext, "db" | "settings">,
  options: {
    stream?: StreamOptions;
    /** How often the actors of streams are checked. Most tests have actors without a session. */
    recheckMs?: number;
    now?: () => Date;
    hub?: Pick<FeedHubOptions, "mostStreams" | "mostOfActor">;
    maps?: Omit<MapHubOptions, "db">;
    choices?: ChoiceHubOptions;
  } = {},
): TestApi {
  const now = options.now ?? (() => new Date());
  const hub = new FeedHub({ db: service.db, pollMs: 20, ...options.hub });
  const maps = new MapHub({ db: service.db, pollMs: 20, ...options.maps });
  const choices = new ChoiceHub({ everyMs: 20, ...options.choices });
  const actors = new ActorWatch({ db: service.db, everyMs: options.recheckMs ?? 30_000 });
  const faults: Fault[] = [];
  const identities = new Map<string, Identity>();

  async function find(identity: Identity | null, headers: Headers): Promise<Identity> {
    if (identity) return identity;
    const key = headers.get("authorization")?.replace(/^Bearer /, "");
    if (key) return authenticateApiKey(service.db, key, now(), undefined, { address: headers.get(addressHeader) });
    throw new DomainError("unauthenticated", "You are signed out. Sign in, or send an API key.");
  }
  const context: TestApi["context"] = (identity, headers = new Headers()) => {
    let found: Promise<Identity> | undefined;
    return {
      ...service,
      now: now(),
      requestId: randomUUID(),
      feed: hub,
      maps,
      choices,
      actors,
      clientAddress: headers.get(addressHeader),
      reportFault: (fault) => faults.push(fault),
      identify() {
        found ??= find(identity, headers);
        return found;
      },
    };
  };
  const handle = restHandler({
    createContext: (request) =>
      context(identities.get(request.headers.get(actorHeader) ?? "") ?? null, request.headers),
    ...(options.stream ? { stream: options.stream } : {}),
  });
  return {
    hub,
    maps,
    choices,
    faults,
    handle,
    context,
    caller: (identity) => createCaller(context(identity)),
    fetch(as, path, { json, ...init } = {}) {
      const headers = new Headers(init.headers);
      if (as) {
        const name = `${as.organizationId} ${as.actor.id} ${JSON.stringify(as.actor)}`;
        identities.set(name, as);
        headers.set(actorHeader, name);
      }
      if (json !== undefined && !headers.has("content-type")) headers.set("content-type", "application/json");
      const body = json === undefined ? (init.body ?? null) : JSON.stringify(json);
      return handle(new Request(`http://fairlead.test/api/v1${path}`, { ...init, headers, body }));
    },
    close() {
      hub.close();
      maps.close();
      choices.close();
      actors.close();
    },
  };
}
