let session = new AbortController();

type Init = Omit<RequestInit, "signal"> & { signal?: AbortSignal | null | undefined };

/** sessionFetch is fetch for requests that need the session of this browser. */
export function sessionFetch(input: RequestInfo | URL | string, init: Init = {}): Promise<Response> {
  const signals = init.signal ? [init.signal, session.signal] : [session.signal];
  return fetch(input, { ...init, signal: AbortSignal.any(signals) });
}

/** abortRequests aborts the requests without a response so far, and leaves later ones alone. */
export function abortRequests(): void {
  session.abort();
  session = new AbortController();
}
