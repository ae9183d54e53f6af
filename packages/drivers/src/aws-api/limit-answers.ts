import { Readable } from "node:stream";
import type { MiddlewareStack } from "@smithy/types";

/** A page of 200 network interfaces with 50 addresses each is about 5 MB, as many points of metrics as AWS puts on one 6 MB. */
const mostBytes = 16 * 1024 * 1024;

/** limitAnswers ends an answer that would not end: the SDK reads all of it before it looks at any. */
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
          if (count > mostBytes) body.destroy(new Error("the answer is too long"));
        });
        body.pause();
      }
      return output;
    },
    { step: "deserialize", priority: "low", name: "limitAnswers" },
  );
}
