type Draw = () => void;

const waiting: Draw[] = [];
let running = false;

/** A browser that never tells when it is idle gets a breath between two charts instead. */
const whenIdle: (run: () => void) => void =
  typeof requestIdleCallback === "function"
    ? (run) => requestIdleCallback(run, { timeout: 300 })
    : (run) => setTimeout(run, 16);

/**
 * drawSoon gives every chart of a page its own moment, so that six that come at once don't hold up a click. Answers a
 * function that gives the place in the queue up.
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
