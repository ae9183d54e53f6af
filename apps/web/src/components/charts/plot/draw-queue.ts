type Draw = () => void;

const waiting: Draw[] = [];
let running = false;

/** Browsers without idle callbacks get a short pause between two charts instead. */
const whenIdle: (run: () => void) => void =
  typeof requestIdleCallback === "function"
    ? (run) => requestIdleCallback(run, { timeout: 300 })
    : (run) => setTimeout(run, 16);

/**
 * drawSoon gives every chart of a page its own time slot, so that six charts that arrive together don't delay a click.
 * Returns a function that gives up the slot.
 */
export function drawSoon(draw: Draw): () => void {
  waiting.push(draw);
  if (!running) {
    running = true;
    whenIdle(drawNext);
  }
  return () => {
    const place = waiting.indexOf(draw);
    if (place >= 0) waiting.splice(place, 1);
  };
}

function drawNext(): void {
  waiting.shift()?.();
  running = waiting.length > 0;
  if (running) whenIdle(drawNext);
}
