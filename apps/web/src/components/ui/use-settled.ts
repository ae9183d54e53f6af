"use client";
import { useEffect, useState } from "react";

/** useSettled follows a value once it has stopped changing for a moment, so that not every key asks the server. */
export function useSettled<Value>(value: Value, afterMs = 300): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), afterMs);
    return () => clearTimeout(timer);
  }, [value, afterMs]);
  return settled;
}
