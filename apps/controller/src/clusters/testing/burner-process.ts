import { createServer } from "node:http";

// An instance in a pod that burns as much CPU as its limit allows, from one order to the next.

const sliceMs = 20;
let isBurning = false;

createServer((request, response) => {
  const wasBurning = isBurning;
  isBurning = request.url === "/burn";
  if (isBurning && !wasBurning) setImmediate(burn);
  response.end();
}).listen(Number(process.argv[2]));

/** It serves requests between slices. */
function burn(): void {
  if (!isBurning) return;
  const end = performance.now() + sliceMs;
  while (performance.now() < end);
  setImmediate(burn);
}
