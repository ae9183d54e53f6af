import type { CloudBalancer } from "./load.sql.ts";

/** Troubles collects why balancers aren't read, or only in part. The first reason of each counts. */
export class Troubles {
  readonly #balancers: readonly Pick<CloudBalancer, "id" | "name" | "isLeaving">[];
  readonly #problems = new Map<string, string>();

  constructor(balancers: readonly Pick<CloudBalancer, "id" | "name" | "isLeaving">[]) {
    this.#balancers = balancers;
  }

  add(id: string, problem: string): void {
    if (problem && !this.#problems.has(id)) this.#problems.set(id, problem);
  }

  /** of is empty for a balancer that is read. */
  of(id: string): string {
    return this.#problems.get(id) ?? "";
  }

  /** reportable leaves out those that are being deleted: the cloud may no longer have them. */
  reportable(): { name: string; problem: string }[] {
    return this.#balancers
      .filter(({ id, isLeaving }) => !isLeaving && this.of(id))
      .map(({ id, name }) => ({ name, problem: this.of(id) }));
  }
}
