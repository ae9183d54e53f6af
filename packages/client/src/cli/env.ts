export type Env = { url: string | undefined; apiKey: string | undefined };

/** readEnv is the only place where this package reads the environment. A key is never an argument: process lists show arguments. */
export function readEnv(env: NodeJS.ProcessEnv = process.env): Env {
  return { url: env.FAIRLEAD_URL, apiKey: env.FAIRLEAD_API_KEY?.trim() || undefined };
}
