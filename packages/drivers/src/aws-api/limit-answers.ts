import { Readable } from "node:stream";
import { ResponseTooLong } from "@fairlead/http";
import type { MiddlewareStack } from "@smithy/types";

/** A page of 200 network interfaces with 50 addresses each is about 5 MB; a full page of metrics is 6 MB. */
const maxBytes = 16 * 1024 * 1024;

/** limitAnswers aborts a response that is too long: the SDK reads the whole response before it parses it. */
export function limitAnswers<Input extends object, Output extends object>({
  middlewareStack,
}: {
  middlewareStack: MiddlewareStack<Input, Output>;
}): void {
  middlewareStack.add(
    (next) => async (args) => {
      const output = await next(args);
      const { response } = output;
      const body = typeof response === "object" && response !== null && "body" in response ? response.body : null;
      if (body instanceof Readable) {
        let count = 0;
        body.on("data", (chunk: Uint8Array) => {
          count += chunk.length;
          if (count > maxBytes) body.destroy(new ResponseTooLong("response", maxBytes));
        });
        body.pause();
      }
      return output;
    },
    { step: "deserialize", priority: "low", name: "limitAnswers" },
  );
}
