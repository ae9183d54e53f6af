"use client";
import { useEffect } from "react";
import { keepSession } from "./keep-session.ts";

/**
 * SessionKeeper prolongs the session while the dashboard is in use. The answer sets the cookie anew, which the answers
 * of the API don't: a stream or a script must not keep a forgotten tab signed in for ever.
 */
export function SessionKeeper() {
  useEffect(() => keepSession(window, () => fetch("/api/auth/get-session"), Date.now), []);
  return null;
}
