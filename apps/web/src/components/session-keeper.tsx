"use client";
import { useEffect } from "react";

const everyMs = 3_600_000;

/**
 * SessionKeeper prolongs the session while the dashboard is in use. The answer sets the cookie anew, which the answers
 * of the API don't: a stream or a script must not keep a forgotten tab signed in for ever.
 */
export function SessionKeeper() {
  useEffect(() => {
    let last = 0;
    const prolong = () => {
      if (document.hidden || Date.now() - last < everyMs) return;
      last = Date.now();
      fetch("/api/auth/get-session").catch(() => {
        last = 0;
      });
    };
    prolong();
    const timer = setInterval(prolong, everyMs);
    document.addEventListener("visibilitychange", prolong);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", prolong);
    };
  }, []);
  return null;
}
