import { AsyncLocalStorage } from "node:async_hooks";
import { type Db, inTransaction, type Tx } from "@fairlead/db";
import { identityProviderBox } from "@fairlead/services";

/** A sign-in through a provider, from the moment better-auth begins its transaction. */
type Arrival = { tx: Tx; organizationId?: string; provider?: string };

export type AuthDb = {
  client: Db;
  /** The current provider sign-in, so that services run in the transaction in which better-auth creates the session. */
  arrival: () => Arrival | undefined;
};

// better-auth compares passwords and tokens itself. Nothing else in this process reads these columns.
const wholeAccount = { password: false, accessToken: false, refreshToken: false, idToken: false };
const wholeSession = { token: false };
const wholeVerification = { value: false };
const wholeProvider = { oidcConfig: false, samlConfig: false };

/** authDb is the database client for better-auth: secret columns included, identity providers decrypted. */
export function authDb(db: Db, secret: string): AuthDb {
  const arrivals = new AsyncLocalStorage<Arrival>();
  const box = identityProviderBox(secret);
  const open = (answer: unknown) => openProvider(answer, box.open);
  const whole = db.$extends({
    query: {
      account: { $allOperations: ({ operation, args, query }) => query(including(operation, args, wholeAccount)) },
      session: { $allOperations: ({ operation, args, query }) => query(including(operation, args, wholeSession)) },
      verification: {
        $allOperations: ({ operation, args, query }) => query(including(operation, args, wholeVerification)),
      },
      ssoProvider: {
        $allOperations: async ({ operation, args, query }) =>
          open(await query(including(operation, args, wholeProvider))),
      },
    },
  }) as unknown as Db;
  const transaction = (work: (tx: Tx) => Promise<unknown>) =>
    inTransaction(whole, (tx) => arrivals.run({ tx }, () => work(tx)));
  const client = new Proxy(whole, {
    get: (target, name) => (name === "$transaction" ? transaction : Reflect.get(target, name, target)),
  });
  return { client, arrival: () => arrivals.getStore() };
}

const answeringRows = new Set(["findFirst", "findUnique", "findMany", "create", "update", "delete"]);

/** including selects secret columns in a query that returns whole rows. */
function including<Args>(operation: string, args: Args, omit: Record<string, boolean>): Args {
  const isWhole = answeringRows.has(operation) && !(args as { select?: object }).select;
  return isWhole ? { ...args, omit } : args;
}

function openProvider(answer: unknown, open: (sealed: string) => string): unknown {
  if (Array.isArray(answer)) return answer.map((each) => openProvider(each, open));
  if (!answer || typeof answer !== "object" || !("oidcConfig" in answer)) return answer;
  const { oidcConfig } = answer;
  return typeof oidcConfig === "string" ? { ...answer, oidcConfig: open(oidcConfig) } : answer;
}
