"use client";
import { useEffect } from "react";
import { keepSession } from "./keep-session.ts";

/**
 * SessionKeeper extends the session while the dashboard is in use. Its response sets the cookie again. API responses
 * don't, so that a stream or a script can't keep an abandoned tab signed in.
 */
export function SessionKeeper() {
  useEffect(() => keepSession(window, () => fetch("/api/auth/get-session"), Date.now), []);
  return null;
}
