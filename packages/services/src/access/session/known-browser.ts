import { randomUUID } from "node:crypto";
import { z } from "zod";
import { openSecretBox } from "../../secret/index.ts";

/** How long a browser is known after its last sign-in. */
export const knownBrowserSeconds = 90 * 24 * 3600;

const content = z.object({
  browser: z.string(),
  userId: z.string(),
  /** The mark of the password that was used: after a change of the password, the browser is unknown. */
  passwordMark: z.string(),
  signedInAt: z.number(),
});
/** A browser in which a user has signed in before, with the present password. */
export type KnownBrowser = Omit<z.infer<typeof content>, "signedInAt">;

export function newKnownBrowser(userId: string, passwordMark: string): KnownBrowser {
  return { browser: randomUUID(), userId, passwordMark };
}

/** sealKnownBrowser returns the text that a browser presents at its next sign-in. Only this installation can create it. */
export function sealKnownBrowser(secret: string, known: KnownBrowser, now: Date): string {
  return boxOf(secret).seal(JSON.stringify({ ...known, signedInAt: now.getTime() }));
}

/** openKnownBrowser returns null for a text that this installation did not seal, or that is too old. */
export function openKnownBrowser(secret: string, sealed: string, now: Date): KnownBrowser | null {
  try {
    const { signedInAt, ...known } = content.parse(JSON.parse(boxOf(secret).open(sealed)));
    return now.getTime() - signedInAt < knownBrowserSeconds * 1000 ? known : null;
  } catch {
    return null; // Any client can present any text.
  }
}

function boxOf(secret: string) {
  return openSecretBox(secret, "known-browser");
}
