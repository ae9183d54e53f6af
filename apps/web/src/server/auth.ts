import { env } from "../env.ts";
import { type Auth, createAuth } from "./auth/create-auth.ts";
import { db } from "./db.ts";

let created: Auth | undefined;

/** auth is created on first use, because a build has no database and no secret. */
export function auth(): Auth {
  const { secret, url, oidcEndpoints } = env();
  created ??= createAuth({ db: db(), secret, url, oidcEndpoints });
  return created;
}
