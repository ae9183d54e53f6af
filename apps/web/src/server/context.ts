import { randomUUID } from "node:crypto";
import type { ApiContext, Identity } from "@fairlead/api";
import { readEndpoints } from "@fairlead/domain/cloud";
import { env } from "../env.ts";
import { auth } from "./auth.ts";
import { authenticate, presentedKey } from "./authenticate.ts";
import { checkSameOrigin } from "./check-same-origin.ts";
import { db } from "./db.ts";
import { actorWatch, choiceHub, feedHub, mapHub } from "./feed-hub.ts";
import { log } from "./log.ts";
import { clientAddressIn } from "./stamp-client-address.ts";
import { simulator } from "./what-if/simulator.ts";

const requestIdPattern = /^[\w.:-]{1,64}$/;

/**
 * createContext builds the context of a request, for both transports and for server-rendered pages. It does not query
 * the database.
 */
export function createContext(request: { headers: Headers; method?: string }): ApiContext {
  const { headers, method = "GET" } = request;
  const { gatewayUrl, secret, cloudEndpoints, oidcEndpoints, inCluster, isCalculatorClosed, url } = env();
  const endpoints = readEndpoints(cloudEndpoints);
  const now = new Date();
  const given = headers.get("x-request-id");
  const requestId = given && requestIdPattern.test(given) ? given : randomUUID();
  let session: Promise<Identity> | undefined;
  return {
    db: db(),
    now,
    // The controller, which uses these endpoints, doesn't start if they are invalid.
    settings: {
      url,
      gatewayUrl,
      secret,
      cloudEndpoints: "problem" in endpoints ? [] : endpoints,
      oidcEndpoints,
      mayAttachOwn: inCluster,
      isCalculatorClosed,
    },
    requestId,
    identify() {
      const check = () => authenticate({ auth: auth(), db: db() }, headers, now);
      // A batch is one request with many calls, and each call counts against the key's limit.
      if (presentedKey(headers)) return check();
      session ??= (async () => {
        checkSameOrigin(method, headers, url);
        return check();
      })();
      return session;
    },
    feed: feedHub(),
    maps: mapHub(),
    choices: choiceHub(),
    actors: actorWatch(),
    clientAddress: clientAddressIn(headers),
    simulator: simulator(),
    logDetail: (message, fields) => log.warn(message, { requestId, ...fields }),
    reportFault: ({ requestId, operation, error }) => log.error("fault", { requestId, operation, err: error }),
  };
}
