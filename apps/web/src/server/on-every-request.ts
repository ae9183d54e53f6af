import { type IncomingMessage, Server, type ServerResponse } from "node:http";

/** Step answers a request itself, or calls next, at once or later. */
export type Step = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/**
 * onEveryRequest runs a step before Next.js sees a request, for every server of this process: it is the only place that
 * all entry points have in common. The last one added runs first. It returns how to undo it.
 */
export function onEveryRequest(step: Step): () => void {
  const { emit }: { emit: (this: Server, event: string, ...args: unknown[]) => boolean } = Server.prototype;
  Server.prototype.emit = function emitAfterStep(this: Server, event: string, ...args: unknown[]): boolean {
    if (event !== "request") return emit.call(this, event, ...args);
    const [request, response] = args as [IncomingMessage, ServerResponse];
    step(request, response, () => void emit.call(this, event, ...args));
    return true;
  };
  return () => {
    Server.prototype.emit = emit;
  };
}
