import { TerminalError } from "../terminal-error.ts";

/** Fault is one way for an operation to go wrong. Without an exposure it meets all of them, without times for ever. */
export type Fault = {
  operation: "enter" | "list" | "instances" | "create" | "created" | "update" | "remove";
  exposureId?: string;
  times?: number;
  /** Called each time that it happens. */
  onMet?: () => void;
  does:
    | { type: "delay"; ms: number }
    | { type: "wait"; until: Promise<void> }
    | { type: "fail" }
    | { type: "unreachable" }
    | { type: "terminal" }
    | { type: "hang" };
};

/** Faults are what a test arranged to go wrong in a fake world. */
export class Faults {
  #faults: Fault[] = [];
  #met = new Map<Fault, number>();

  add(fault: Fault): void {
    this.#faults.push(fault);
  }

  clear(): void {
    this.#faults = [];
  }

  /** meet lets the first fault that fits this operation happen. */
  async meet(operation: Fault["operation"], exposureId: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const fault = this.#faults.find((each) => this.#fits(each, operation, exposureId));
    if (!fault) return;
    this.#met.set(fault, (this.#met.get(fault) ?? 0) + 1);
    fault.onMet?.();
    switch (fault.does.type) {
      case "delay":
        return wait(fault.does.ms, signal);
      case "wait":
        return fault.does.until;
      case "hang":
        return wait(600_000, signal);
      case "fail":
        throw new Error(`the outside refused to ${operation}`);
      case "unreachable":
        throw new Error("the outside is unreachable", {
          cause: Object.assign(new Error("connect ECONNREFUSED 192.0.2.1:6443"), { code: "ECONNREFUSED" }),
        });
      case "terminal":
        throw new TerminalError(`the outside will never ${operation} this`);
      default:
        return fault.does satisfies never;
    }
  }

  #fits(fault: Fault, operation: Fault["operation"], exposureId: string): boolean {
    if (fault.operation !== operation) return false;
    if (fault.exposureId !== undefined && fault.exposureId !== exposureId) return false;
    return (this.#met.get(fault) ?? 0) < (fault.times ?? Number.POSITIVE_INFINITY);
  }
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(done, ms);
    function done() {
      signal.removeEventListener("abort", cut);
      resolve();
    }
    function cut() {
      clearTimeout(timer);
      reject(signal.reason);
    }
    signal.addEventListener("abort", cut, { once: true });
  });
}
