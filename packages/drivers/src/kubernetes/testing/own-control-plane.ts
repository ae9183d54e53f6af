import path from "node:path";
import { type Access, ControlPlane } from "./control-plane.ts";
import { compact } from "./etcd.ts";
import type { GuardedPrograms } from "./guarded-programs.ts";
import { argumentsOf, etcdUrl, type Layout, type ProgramName } from "./program-arguments.ts";
import { until } from "./until.ts";

const readyWithinMs = 60_000;

/** OwnControlPlane belongs to one test file, which may harm it. */
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

  /** start runs a program and waits until it serves; whether the others do their work, only the work itself shows. */
  async start(name: ProgramName): Promise<void> {
    this.#programs.start(name, path.join(this.#bin, name), argumentsOf(name, this.#layout));
    if (name === "etcd") await this.#serves(name, async () => (await fetch(`${etcdUrl(this.#layout)}/health`)).ok);
    if (name === "kube-apiserver") {
      await this.#serves(name, async () => (await this.api.get<string>("/readyz")) === "ok");
      // It makes this one itself, last of what it needs to give others their addresses.
      await this.#serves(name, () => this.api.get("/api/v1/namespaces/default/services/kubernetes"));
    }
  }

  /** kill is the end of a program's process, without a goodbye. */
  kill(name: ProgramName): Promise<void> {
    return this.#programs.kill(name);
  }

  /** restore brings a program back, to the same ports and the same data. */
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

  /** freeze leaves a program its connections and takes it the processor: it accepts, and answers nothing. */
  freeze(name: ProgramName): void {
    this.#programs.signal(name, "SIGSTOP");
  }

  thaw(name: ProgramName): void {
    this.#programs.signal(name, "SIGCONT");
  }

  /** compactEtcd makes etcd forget the past. The API server still remembers what it has seen since it began. */
  compactEtcd(): Promise<number> {
    return compact(etcdUrl(this.#layout));
  }

  /** forgetHistory makes the API forget it too, so that whoever watches from an old version is told 410. */
  async forgetHistory(): Promise<void> {
    await this.compactEtcd();
    await this.restoreApiserver();
  }

  /** pids are for those who look whether everything is gone. */
  get pids(): number[] {
    const names: ProgramName[] = ["etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kwok"];
    return names.flatMap((name) => this.#programs.pid(name) ?? []);
  }

  get folder(): string {
    return this.#programs.folder;
  }

  /** stop ends every program, and removes all that was written. */
  async stop(): Promise<void> {
    await this.#programs.close();
  }

  async #serves(name: ProgramName, answers: () => Promise<unknown>): Promise<void> {
    const isDead = () => !this.#programs.isRunning(name);
    await until(`${name}`, async () => isDead() || (await answers()), readyWithinMs).catch((cause: unknown) => {
      throw new Error(`${name} does not serve; its last words:\n${this.#programs.lastWords(name)}`, { cause });
    });
    if (isDead()) throw new Error(`${name} ended; its last words:\n${this.#programs.lastWords(name)}`);
  }
}
