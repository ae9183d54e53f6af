import type { IncomingMessage } from "node:http";
import { Agent, request } from "node:https";
import type { Credential } from "./kubeconfig.ts";

/** The fields of every object. Tests that read others pass the expected type. */
export type KubernetesObject = {
  apiVersion?: string;
  kind?: string;
  metadata: {
    name: string;
    namespace?: string;
    uid?: string;
    resourceVersion?: string;
    deletionTimestamp?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
  };
};

export type WatchEvent<T = KubernetesObject> = { type: string; object: T };

/** KubernetesRefusal is an error response. */
export class KubernetesRefusal extends Error {
  override name = "KubernetesRefusal";
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

const answersWithinMs = 30_000;

/**
 * KubernetesApi is a client of an API server for tests. It is independent of the library that the product uses, so that
 * tests check the product's work by other means.
 */
export class KubernetesApi {
  readonly #url: string;
  readonly #agent: Agent;
  readonly #token: string | null;

  constructor(url: string, ca: string, credential: Credential) {
    this.#url = url;
    this.#token = credential && "token" in credential ? credential.token : null;
    const own = credential && "key" in credential ? { cert: credential.certificate, key: credential.key } : {};
    this.#agent = new Agent({ ca, keepAlive: true, ...own });
  }

  get<T = KubernetesObject>(path: string): Promise<T> {
    return this.#request("GET", path);
  }

  create<T = KubernetesObject>(path: string, object: object): Promise<T> {
    return this.#request("POST", path, object);
  }

  /** merge sets fields of an object, as `kubectl patch --type=merge` does. */
  merge<T = KubernetesObject>(path: string, fields: object): Promise<T> {
    return this.#request("PATCH", path, fields, "application/merge-patch+json");
  }

  delete<T = KubernetesObject>(path: string): Promise<T> {
    return this.#request("DELETE", path);
  }

  /** watch yields changes until the signal or the server ends it; a broken connection throws. */
  async *watch<T = KubernetesObject>(path: string, signal: AbortSignal): AsyncGenerator<WatchEvent<T>> {
    const response = await this.#open("GET", path, null, "application/json", signal);
    if (response.statusCode !== 200) throw refusal(response, await textOf(response));
    let begun = "";
    for await (const chunk of response.setEncoding("utf8")) {
      const lines = `${begun}${chunk}`.split("\n");
      begun = lines.pop() ?? "";
      for (const line of lines) yield JSON.parse(line) as WatchEvent<T>;
    }
  }

  async #request<T>(method: string, path: string, body: object | null = null, type = "application/json"): Promise<T> {
    const signal = AbortSignal.timeout(answersWithinMs);
    const response = await this.#open(method, path, body, type, signal);
    const text = await textOf(response);
    if (!response.statusCode || response.statusCode >= 300) throw refusal(response, text);
    return (response.headers["content-type"]?.includes("json") ? JSON.parse(text) : text) as T;
  }

  #open(
    method: string,
    path: string,
    body: object | null,
    type: string,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    const headers = {
      accept: "application/json",
      ...(this.#token ? { authorization: `Bearer ${this.#token}` } : {}),
      ...(body ? { "content-type": type } : {}),
    };
    return new Promise((resolve, reject) => {
      const sent = request(`${this.#url}${path}`, { method, headers, agent: this.#agent, signal }, resolve);
      sent.once("error", reject);
      sent.end(body ? JSON.stringify(body) : undefined);
    });
  }
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of response.setEncoding("utf8")) text += chunk;
  return text;
}

function refusal(response: IncomingMessage, text: string): KubernetesRefusal {
  return new KubernetesRefusal(response.statusCode ?? 0, `${response.statusCode}: ${messageIn(text)}`);
}

function messageIn(text: string): string {
  try {
    return (JSON.parse(text) as { message?: string }).message ?? text;
  } catch {
    return text;
  }
}
