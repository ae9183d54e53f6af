const everyMs = 3_600_000;

/** What somebody does who is there. Moving the pointer is not among it: a table that is bumped moves one, too. */
const signsOfUse = ["pointerdown", "keydown", "wheel"] as const;

/**
 * keepSession prolongs the session when somebody uses the page: at most once an hour, and never for a page that is only
 * left open, on a screen on the wall for one. Answers a function that stops it.
 */
export function keepSession(page: EventTarget, prolong: () => Promise<unknown>, now: () => number): () => void {
  let last = Number.NEGATIVE_INFINITY;
  const use = () => {
    if (now() - last < everyMs) return;
    last = now();
    prolong().catch(() => {
      last = Number.NEGATIVE_INFINITY;
    });
  };
  use(); // somebody opened it
  for (const sign of signsOfUse) page.addEventListener(sign, use, { passive: true });
  return () => {
    for (const sign of signsOfUse) page.removeEventListener(sign, use);
  };
}
