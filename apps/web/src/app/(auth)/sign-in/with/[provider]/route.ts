import { env } from "@/env.ts";
import { startProviderSignIn } from "@/server/auth/start-provider-sign-in.ts";
import { auth } from "@/server/auth.ts";

export async function GET(request: Request, { params }: { params: Promise<{ provider: string }> }): Promise<Response> {
  const { provider } = await params;
  return startProviderSignIn(auth(), env().url, provider, request);
}
