import { isSetUp, listSignInProviders, type SignInProvider } from "@fairlead/services";
import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { Button } from "@/components/ui/action/button.tsx";
import { env } from "@/env.ts";
import { safePath } from "@/server/auth/safe-path.ts";
import { db } from "@/server/db.ts";
import { AuthForm } from "../auth-form.tsx";
import { findSignedIn } from "../find-signed-in.ts";
import { signInWithPassword } from "./actions.ts";
import { explainError } from "./explain-error.ts";

export const metadata: Metadata = { title: "Sign in" };

type Search = Promise<Record<string, string | string[] | undefined>>;

export default async function SignInPage({ searchParams }: { searchParams: Search }) {
  const search = await searchParams;
  const returnTo = safePath(one(search.returnTo));
  const [ready, signedIn, providers] = await Promise.all([isSetUp(db()), findSignedIn(), listSignInProviders(db())]);
  if (!ready) redirect("/set-up");
  if (signedIn) redirect(returnTo);
  return (
    <>
      <h1 className="mb-5 font-semibold text-xl">Sign in</h1>
      <AuthForm
        action={signInWithPassword}
        fields={[
          { name: "email", label: "Email", type: "email", autoComplete: "username" },
          { name: "password", label: "Password", type: "password", autoComplete: "current-password" },
        ]}
        hidden={{ returnTo }}
        submit="Sign in"
        notice={explainError(one(search.error))}
      />
      {providers.length > 0 ? <ProviderLinks providers={providers} returnTo={returnTo} /> : null}
    </>
  );
}

function ProviderLinks({ providers, returnTo }: { providers: SignInProvider[]; returnTo: string }) {
  return (
    <ul className="mt-6 flex flex-col gap-2 border-t pt-6">
      {providers.map(({ key, name, organization }) => (
        <li key={key}>
          <Button asChild className="w-full justify-center">
            {/* The full URL: the provider has this one registered, whatever host name the page was opened under. */}
            <a href={`${env().url}/sign-in/with/${key}?returnTo=${encodeURIComponent(returnTo)}`}>
              Sign in with {name}
              {organization === null ? null : ` (${organization})`}
            </a>
          </Button>
        </li>
      ))}
    </ul>
  );
}

function one(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
