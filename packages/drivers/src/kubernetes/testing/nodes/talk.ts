import type { ChildProcess } from "node:child_process";

export type Order<Input> = Input & { id: number };
export type Reply = { id: number; result: unknown } | { id: number; error: string };

/** Talk sends orders to a child process, which handles several at once. */
export class Talk<Input extends object> {
  readonly #child: ChildProcess;
  readonly #pending = new Map<number, (reply: Reply) => void>();
  #orders = 0;

  constructor(child: ChildProcess) {
    this.#child = child;
    child.on("message", (reply: Reply) => this.#pending.get(reply.id)?.(reply));
    child.once("exit", () => {
      for (const [id, settle] of this.#pending) settle({ id, error: "the process ended" });
    });
  }

  async ask<T>(input: Input): Promise<T> {
    const id = ++this.#orders;
    const { promise, resolve } = Promise.withResolvers<Reply>();
    this.#pending.set(id, resolve);
    this.#child.send({ ...input, id } satisfies Order<Input>);
    const reply = await promise;
    this.#pending.delete(id);
    if ("error" in reply) throw new Error(reply.error);
    return reply.result as T;
  }

  async stop(): Promise<void> {
    const { exitCode, signalCode } = this.#child;
    if (exitCode !== null || signalCode !== null) return;
    const gone = new Promise((resolve) => this.#child.once("exit", resolve));
    this.#child.kill("SIGKILL");
    await gone;
  }
}

/** obey makes this process the other side of a talk: it carries out orders, and ends with its parent. */
export function obey<Input extends object>(act: (input: Input) => Promise<unknown>): void {
  process.once("disconnect", () => process.exit());
  process.on("message", (order: Order<Input>) => {
    const reply = (message: Reply) => process.send?.(message);
    act(order).then(
      (result) => reply({ id: order.id, result }),
      (error: unknown) => reply({ id: order.id, error: error instanceof Error ? error.message : String(error) }),
    );
  });
}
