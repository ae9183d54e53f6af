"use server";
import { signIn } from "@fairlead/domain/access";
import { redirect } from "next/navigation";
import { safePath } from "@/server/auth/safe-path.ts";
import { type FormState, problemsOf, textOf } from "../form-state.ts";
import { signInPerson } from "../sign-in-person.ts";

export async function signInWithPassword(_before: FormState, form: FormData): Promise<FormState> {
  const kept = { email: textOf(form, "email") };
  const input = signIn.safeParse({ ...kept, password: textOf(form, "password") });
  if (!input.success) return { fields: problemsOf(input.error), kept };
  const refusal = await signInPerson(input.data.email, input.data.password);
  if (refusal) return { message: refusal, kept };
  redirect(safePath(textOf(form, "returnTo")));
}
