let isHeld = false;
const waiting = new Set<() => void>();

function release(): void {
  isHeld = false;
  // The click follows the release, and must still find its target in the same place.
  setTimeout(() => {
    for (const run of waiting) run();
    waiting.clear();
  });
}

/** watchPointer tracks whether a pointer button is held. Returns a function that stops it. */
export function watchPointer(target: EventTarget): () => void {
  const hold = () => {
    isHeld = true;
  };
  target.addEventListener("pointerdown", hold, true);
  target.addEventListener("pointerup", release, true);
  target.addEventListener("pointercancel", release, true);
  return () => {
    target.removeEventListener("pointerdown", hold, true);
    target.removeEventListener("pointerup", release, true);
    target.removeEventListener("pointercancel", release, true);
    release();
  };
}

/**
 * afterClick runs a function once no button is held. When a field loses focus because another control is pressed, its
 * error appears and moves the content below. Done at once, the control would move away from the pointer before the
 * click.
 */
export function afterClick(run: () => void): void {
  if (isHeld) waiting.add(run);
  else run();
}
