import { findInvitation, type OpenInvitation } from "@fairlead/services";
import type { Metadata } from "next";
import { Button } from "@/components/ui/action/button.tsx";
import { Link } from "@/components/ui/action/link.tsx";
import { db } from "@/server/db.ts";
import { type AuthField, AuthForm } from "../../auth-form.tsx";
import { findSignedIn, type SignedIn } from "../../find-signed-in.ts";
import { joinAsNewUser, joinAsSignedIn, joinWithPassword, signOutHere } from "./actions.ts";

export const metadata: Metadata = { title: "Invitation" };

export default async function InvitationPage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  const [invitation, signedIn] = await Promise.all([findInvitation(db(), token, new Date()), findSignedIn()]);
  if (!invitation) return <Useless />;
  return (
    <>
      <h1 className="mb-2 font-semibold text-xl">Join {invitation.organizationName}</h1>
      <p className="mb-5 text-muted text-sm">
        You are invited as {invitation.role === "viewer" ? "a" : "an"} {invitation.role}.
      </p>
      <Acceptance invitation={invitation} signedIn={signedIn} token={token} />
    </>
  );
}

type Props = { invitation: OpenInvitation; signedIn: SignedIn | null; token: string };

function Acceptance({ invitation, signedIn, token }: Props) {
  const email: AuthField = {
    name: "email",
    label: "Email",
    type: "email",
    autoComplete: "username",
    fixed: invitation.email,
  };
  if (signedIn?.email === invitation.email)
    return <AuthForm action={joinAsSignedIn} fields={[]} hidden={{ token }} submit={`Join as ${signedIn.name}`} />;
  if (signedIn)
    return (
      <>
        <p className="mb-4 text-sm">
          The invitation is for {invitation.email}, and you are signed in as {signedIn.email}.
        </p>
        <AuthForm action={signOutHere} fields={[]} submit="Sign out to accept it" />
      </>
    );
  if (invitation.account === "other-provider")
    return (
      <p className="text-sm">
        {invitation.email} signs in with an identity provider of another organisation, which is valid only there. Ask
        for an invitation to another email address.
      </p>
    );
  if (invitation.account === "provider")
    return (
      <>
        <p className="mb-4 text-sm">{invitation.email} signs in with an identity provider. Sign in with it to join.</p>
        <Button asChild variant="primary">
          <Link href={`/sign-in?returnTo=${encodeURIComponent(`/invitations/${token}`)}`}>Sign in</Link>
        </Button>
      </>
    );
  if (invitation.account === "password")
    return (
      <AuthForm
        action={joinWithPassword}
        hidden={{ token }}
        fields={[
          email,
          {
            name: "password",
            label: "Password",
            type: "password",
            autoComplete: "current-password",
            hint: "You already have an account. Enter its password.",
          },
        ]}
        submit="Join"
      />
    );
  return (
    <AuthForm
      action={joinAsNewUser}
      hidden={{ token }}
      fields={[
        email,
        { name: "name", label: "Your name", autoComplete: "name" },
        {
          name: "password",
          label: "Choose a password",
          type: "password",
          autoComplete: "new-password",
          hint: "At least 8 characters.",
        },
      ]}
      submit="Join"
    />
  );
}

function Useless() {
  return (
    <>
      <h1 className="mb-2 font-semibold text-xl">This invitation is no longer valid</h1>
      <p className="mb-5 text-sm">
        It was used, expired after seven days, or was deleted. Ask the sender for a new one.
      </p>
      <Button asChild>
        <Link href="/sign-in">Sign in instead</Link>
      </Button>
    </>
  );
}
