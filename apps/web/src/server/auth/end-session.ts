import { explainFailure } from "./explain-failure.ts";

type SignOut = (given: { headers: Headers }) => Promise<unknown>;

/** endSession signs the sender out, or returns why it can't. */
export async function endSession(signOut: SignOut, headers: Headers): Promise<string | null> {
  try {
    await signOut({ headers });
    return null;
  } catch (error) {
    return explainFailure(error);
  }
}
