export type Env = { url: string | undefined; apiKey: string | undefined };

/** readEnv is this package's only look at the environment. A key stands here or in a file: arguments are seen by all. */
export function readEnv(env: NodeJS.ProcessEnv = process.env): Env {
  return { url: env.FAIRLEAD_URL, apiKey: env.FAIRLEAD_API_KEY?.trim() || undefined };
}
