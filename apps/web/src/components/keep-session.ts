const everyMs = 3_600_000;

/** Events that count as use. Pointer moves don't: a bumped table causes them too. */
const signsOfUse = ["pointerdown", "keydown", "wheel"] as const;

/**
 * keepSession extends the session while the page is in use, at most once per hour. An open but unused page, such as one
 * on a wall display, does not extend it. Returns a function that stops it.
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
  use(); // the page was just opened
  for (const sign of signsOfUse) page.addEventListener(sign, use, { passive: true });
  return () => {
    for (const sign of signsOfUse) page.removeEventListener(sign, use);
  };
}
