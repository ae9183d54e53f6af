"use client";
import { useEffect, useState } from "react";

/** useSettled returns a value once it has not changed for a moment, so that not every keystroke sends a query. */
export function useSettled<Value>(value: Value, afterMs = 300): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), afterMs);
    return () => clearTimeout(timer);
  }, [value, afterMs]);
  return settled;
}
