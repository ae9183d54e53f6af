import "server-only";
import { headers } from "next/headers";
import { explainFailure } from "@/server/auth/explain-failure.ts";
import { auth } from "@/server/auth.ts";

/** signInPerson sets the session cookie, or returns why it can't. */
export async function signInPerson(email: string, password: string): Promise<string | null> {
  try {
    await auth().api.signInEmail({ body: { email, password }, headers: await headers() });
    return null;
  } catch (error) {
    return explainFailure(error);
  }
}
