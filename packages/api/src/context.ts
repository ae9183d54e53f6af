import type { Actor } from "@fairlead/domain/access";
import type { ServiceContext } from "@fairlead/services";
import type { FeedHub } from "./live/feed-hub.ts";
import type { MapHub } from "./live/map-hub.ts";

/** Who asks, once the credentials of the request were looked at. */
export type Identity = { actor: Actor; organizationId: string };

/** A failure that nobody planned for. It is written down whole; the caller gets only the request id. */
export type Fault = { requestId: string; operation: string; error: unknown };

/** ApiContext is what both transports make of a request. Together with its Identity it is a ServiceContext. */
export type ApiContext = Omit<ServiceContext, keyof Identity> & {
  requestId: string;
  /**
   * Throws a DomainError when nobody asks, somebody whose session or key is over, or a key that has spent its limit. To
   * be asked once for each call: a key pays every time.
   */
  identify: () => Promise<Identity>;
  /**
   * The organisation of the page that asks. One browser has one session for all its tabs, and another tab may have
   * switched it since: what is meant for one organisation must not land in the other.
   */
  shownOrganizationId?: string;
  feed: FeedHub;
  maps: MapHub;
  reportFault: (fault: Fault) => void;
};
