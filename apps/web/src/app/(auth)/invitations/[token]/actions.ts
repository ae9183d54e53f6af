"use server";
import { acceptInvitationAsNewUser as newUser } from "@fairlead/domain/access";
import {
  acceptInvitationAsNewUser,
  acceptInvitationWithPassword,
  acceptInvitation as joinSignedIn,
  switchOrganization,
} from "@fairlead/services";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { endSession } from "@/server/auth/end-session.ts";
import { explainFailure } from "@/server/auth/explain-failure.ts";
import { auth } from "@/server/auth.ts";
import { createContext } from "@/server/context.ts";
import { db } from "@/server/db.ts";
import { type FormState, problemsOf, textOf } from "../../form-state.ts";
import { signInPerson } from "../../sign-in-person.ts";
import { readToken } from "./read-token.ts";

/** joinAsNewUser creates the account of the invited person and signs them in. */
export async function joinAsNewUser(_before: FormState, form: FormData): Promise<FormState> {
  const invitation = readToken(form);
  if ("refusal" in invitation) return invitation.refusal;
  const kept = { name: textOf(form, "name") };
  const input = newUser.safeParse({ ...kept, ...invitation, password: textOf(form, "password") });
  if (!input.success) return { fields: problemsOf(input.error), kept };
  return join(input.data.password, kept, () => acceptInvitationAsNewUser(db(), input.data, new Date()));
}

/** joinWithPassword is for an invited person who already has an account with a password. */
export async function joinWithPassword(_before: FormState, form: FormData): Promise<FormState> {
  const invitation = readToken(form);
  if ("refusal" in invitation) return invitation.refusal;
  const password = textOf(form, "password");
  if (!password) return { fields: { password: "Enter your password." } };
  return join(password, {}, () => acceptInvitationWithPassword(db(), { ...invitation, password }, new Date()));
}

/** joinAsSignedIn is for a user who is signed in as the invited person. */
export async function joinAsSignedIn(_before: FormState, form: FormData): Promise<FormState> {
  const invitation = readToken(form);
  if ("refusal" in invitation) return invitation.refusal;
  try {
    const api = createContext({ headers: await headers() });
    const ctx = { ...api, ...(await api.identify()) };
    const { id } = await joinSignedIn(ctx, invitation);
    await switchOrganization(ctx, { organizationId: id });
  } catch (error) {
    return { message: explainFailure(error) };
  }
  redirect("/");
}

/** signOutHere ends the session of the wrong user and keeps the invitation open on the page. */
export async function signOutHere(): Promise<FormState> {
  const refusal = await endSession(auth().api.signOut, await headers());
  return refusal === null ? {} : { message: refusal };
}

async function join(
  password: string,
  kept: Record<string, string>,
  accept: () => Promise<{ email: string }>,
): Promise<FormState> {
  let joined: { email: string };
  try {
    joined = await accept();
  } catch (error) {
    return { message: explainFailure(error), kept };
  }
  const refusal = await signInPerson(joined.email, password);
  redirect(refusal ? "/sign-in" : "/");
}
