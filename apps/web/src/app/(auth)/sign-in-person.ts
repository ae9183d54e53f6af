import "server-only";
import { describeWeather } from "@fairlead/services";
import { isAPIError } from "better-auth/api";
import { headers } from "next/headers";
import { auth } from "@/server/auth.ts";
import { log } from "@/server/log.ts";

/** signInPerson sets the session cookie, or says in a sentence why not. */
export async function signInPerson(email: string, password: string): Promise<string | null> {
  try {
    await auth().api.signInEmail({ body: { email, password }, headers: await headers() });
    return null;
  } catch (error) {
    return explain(error);
  }
}

/** explain turns a failure of an action of these pages into a sentence; what nobody planned for is written down. */
export function explain(error: unknown): string {
  if (isAPIError(error)) {
    if (error.statusCode === 401) return "That e-mail address and password don't belong together.";
    if (error.statusCode < 500) return error.body?.message ?? "Signing in did not work. Try again.";
  }
  const weather = describeWeather(error);
  if (weather) return weather.message;
  log.error("fault", { operation: "sign-in", err: error });
  return "Something broke on our side and was written down. Try again shortly.";
}
