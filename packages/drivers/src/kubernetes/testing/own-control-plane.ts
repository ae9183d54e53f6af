import path from "node:path";
import { type Access, ControlPlane } from "./control-plane.ts";
import { compact } from "./etcd.ts";
import type { GuardedPrograms } from "./guarded-programs.ts";
import { argumentsOf, etcdUrl, type Layout, type ProgramName } from "./program-arguments.ts";
import { until } from "./until.ts";

const readyWithinMs = 60_000;

/** OwnControlPlane belongs to one test file, which may disrupt it. */
export class OwnControlPlane extends ControlPlane {
  readonly #layout: Layout;
  readonly #programs: GuardedPrograms;
  readonly #bin: string;

  constructor(access: Access, layout: Layout, programs: GuardedPrograms, bin: string) {
    super(access);
    this.#layout = layout;
    this.#programs = programs;
    this.#bin = bin;
  }

  /** start runs a program. It waits until etcd and the API server respond; the others have no such check. */
  async start(name: ProgramName): Promise<void> {
    this.#programs.start(name, path.join(this.#bin, name), argumentsOf(name, this.#layout));
    if (name === "etcd") await this.#serves(name, async () => (await fetch(`${etcdUrl(this.#layout)}/health`)).ok);
    if (name === "kube-apiserver") {
      await this.#serves(name, async () => (await this.api.get<string>("/readyz")) === "ok");
      // The API server creates this Service last, after all that it needs to assign addresses.
      await this.#serves(name, () => this.api.get("/api/v1/namespaces/default/services/kubernetes"));
    }
  }

  /** kill ends a program with SIGKILL. */
  kill(name: ProgramName): Promise<void> {
    return this.#programs.kill(name);
  }

  /** restore restarts a program with the same ports and data. */
  async restore(name: ProgramName): Promise<void> {
    await this.kill(name);
    await this.start(name);
  }

  killApiserver(): Promise<void> {
    return this.kill("kube-apiserver");
  }

  restoreApiserver(): Promise<void> {
    return this.restore("kube-apiserver");
  }

  /** freeze stops a program, but keeps its connections: they are accepted, and get no response. */
  freeze(name: ProgramName): Promise<void> {
    return this.#programs.freeze(name);
  }

  thaw(name: ProgramName): void {
    this.#programs.signal(name, "SIGCONT");
  }

  /** compactEtcd deletes etcd's history. The API server still has the changes since it started in its cache. */
  compactEtcd(): Promise<number> {
    return compact(etcdUrl(this.#layout));
  }

  /** forgetHistory clears the API server's cache too, so that a watch from an old version gets 410. */
  async forgetHistory(): Promise<void> {
    await this.compactEtcd();
    await this.restoreApiserver();
  }

  /** pids are for tests that check that everything has ended. */
  get pids(): number[] {
    const names: ProgramName[] = ["etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kwok"];
    return names.flatMap((name) => this.#programs.pid(name) ?? []);
  }

  get folder(): string {
    return this.#programs.folder;
  }

  /** stop ends every program, and removes all files. */
  async stop(): Promise<void> {
    await this.#programs.close();
  }

  async #serves(name: ProgramName, answers: () => Promise<unknown>): Promise<void> {
    const isDead = () => !this.#programs.isRunning(name);
    await until(`${name}`, async () => isDead() || (await answers()), readyWithinMs).catch((cause: unknown) => {
      throw new Error(`${name} does not serve; its last log lines:\n${this.#programs.lastWords(name)}`, { cause });
    });
    if (isDead()) throw new Error(`${name} ended; its last log lines:\n${this.#programs.lastWords(name)}`);
  }
}
