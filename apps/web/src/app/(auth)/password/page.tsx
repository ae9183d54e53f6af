import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { Link } from "@/components/ui/action/link.tsx";
import { AuthForm } from "../auth-form.tsx";
import { findSignedIn } from "../find-signed-in.ts";
import { changeOwnPassword } from "./actions.ts";

export const metadata: Metadata = { title: "Password" };

export default async function PasswordPage({ searchParams }: { searchParams: Promise<{ changed?: string }> }) {
  const [signedIn, { changed }] = await Promise.all([findSignedIn(), searchParams]);
  if (!signedIn) redirect("/sign-in?returnTo=/password");
  return (
    <>
      <h1 className="mb-2 font-semibold text-xl">{changed ? "Password changed" : "Change your password"}</h1>
      <p className="mb-5 text-muted text-sm">
        {changed
          ? "All your other sessions are signed out now."
          : `You are signed in as ${signedIn.email}. A new password ends all your other sessions.`}
      </p>
      {changed ? null : (
        <AuthForm
          action={changeOwnPassword}
          fields={[
            {
              name: "currentPassword",
              label: "Current password",
              type: "password",
              autoComplete: "current-password",
            },
            {
              name: "newPassword",
              label: "New password",
              type: "password",
              autoComplete: "new-password",
              hint: "At least 8 characters.",
            },
          ]}
          submit="Change password"
        />
      )}
      <p className="mt-6 text-sm">
        <Link href="/" className="text-accent underline">
          Back to the dashboard
        </Link>
      </p>
    </>
  );
}
