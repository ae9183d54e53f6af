"use server";
import { firstOwner } from "@fairlead/domain/access";
import { createFirstOwner } from "@fairlead/services";
import { redirect } from "next/navigation";
import { explainFailure } from "@/server/auth/explain-failure.ts";
import { db } from "@/server/db.ts";
import { type FormState, problemsOf, textOf } from "../form-state.ts";
import { signInPerson } from "../sign-in-person.ts";

export async function setUp(_before: FormState, form: FormData): Promise<FormState> {
  const kept = { name: textOf(form, "name"), email: textOf(form, "email") };
  const input = firstOwner.safeParse({ ...kept, password: textOf(form, "password") });
  if (!input.success) return { fields: problemsOf(input.error), kept };
  try {
    await createFirstOwner(db(), input.data, new Date());
  } catch (error) {
    return { message: explainFailure(error), kept };
  }
  const refusal = await signInPerson(input.data.email, input.data.password);
  redirect(refusal ? "/sign-in" : "/");
}
