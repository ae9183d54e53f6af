import type { Actor } from "@fairlead/domain/access";
import type { ServiceContext } from "@fairlead/services";
import type { ActorWatch } from "./live/actor-watch.ts";
import type { ChoiceHub } from "./live/choice-hub.ts";
import type { FeedHub } from "./live/feed-hub.ts";
import type { MapHub } from "./live/map-hub.ts";

/** The caller, once the credentials of the request were checked. */
export type Identity = { actor: Actor; organizationId: string };

/** An unexpected failure. It is logged in full; the caller gets only the request id. */
export type Fault = { requestId: string; operation: string; error: unknown };

/** ApiContext is what both transports create from a request. Together with its Identity it is a ServiceContext. */
export type ApiContext = Omit<ServiceContext, keyof Identity> & {
  requestId: string;
  /** The database outside the transaction of an idempotent call, for what stays if the call fails; absent where db is that. */
  rootDb?: ServiceContext["db"] | undefined;
  /**
   * Throws a DomainError for an anonymous client, an expired session or key, or a key over its rate limit. Call it
   * once per request: each call counts against a key's limit.
   */
  identify: () => Promise<Identity>;
  /**
   * The organisation that the requesting page shows. One browser has one session for all its tabs, and another tab may
   * have switched it since: a change meant for one organisation must not land in the other.
   */
  shownOrganizationId?: string;
  feed: FeedHub;
  maps: MapHub;
  choices: ChoiceHub;
  /** Ends the streams of actors who are no longer accepted. */
  actors: ActorWatch;
  reportFault: (fault: Fault) => void;
};
