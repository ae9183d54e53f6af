let isHeld = false;
const waiting = new Set<() => void>();

function release(): void {
  isHeld = false;
  // The click comes after the release, and must still find what was pressed where it was.
  setTimeout(() => {
    for (const run of waiting) run();
    waiting.clear();
  });
}

/** watchPointer notices when a button of the pointer is held. Answers how to stop. */
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
 * afterClick runs something once no button is held. A field that is left by pressing another control shows its problem,
 * which moves what is below it: done at once, the control would be gone from under the pointer before the click.
 */
export function afterClick(run: () => void): void {
  if (isHeld) waiting.add(run);
  else run();
}
