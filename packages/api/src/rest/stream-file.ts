import { DomainError } from "@fairlead/domain";
import type { ApiContext, Identity } from "../context.ts";
import { notingDenied } from "../note-denied.ts";
import type { Operation } from "./operation.ts";
import { pickType } from "./rest-document.ts";

/** FileStream is a file that is written while it is read: its parts, and the line before them. */
export type FileStream = {
  operation: Operation;
  mediaType: string;
  name: string;
  head: string;
  parts: AsyncGenerator<string, void>;
};

type Identified = ApiContext & Identity;
type Next = IteratorResult<string, void>;

/** streamFile answers with a file. Its first part is awaited, so that a file that can't begin is refused with a proper status. */
export async function streamFile(ctx: Identified, request: Request, file: FileStream): Promise<Response> {
  const { operation, mediaType, name, parts } = file;
  pickType(request.headers.get("accept"), [mediaType.split(";")[0] ?? mediaType]);
  const first = await notingDenied(ctx, operation.id, () => nextPart(parts));
  const headers = {
    "content-type": mediaType,
    "content-disposition": `attachment; filename="${name}"`,
    "cache-control": "no-store",
    "x-request-id": ctx.requestId,
  };
  if (request.method !== "HEAD") return new Response(toBody(ctx, file, first), { headers });
  await parts.return();
  return new Response(null, { headers });
}

/** The next part is read only when the client has read the one before. A body that is cut off ends with an error. */
function toBody(ctx: Identified, { operation, head, parts }: FileStream, first: Next): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const watched = ctx.actors.watch(ctx);
  let waiting: Next | undefined = first;
  const next = async (): Promise<Next> => {
    if (watched.signal.aborted)
      throw new DomainError("unauthenticated", "The session or key of this export has ended.");
    const part = waiting ?? (await nextPart(parts));
    waiting = undefined;
    return part;
  };
  const end = async () => {
    watched.stop();
    await parts.return();
  };
  return new ReadableStream<Uint8Array>({
    start(controller) {
      if (head !== "") controller.enqueue(encoder.encode(head));
    },
    async pull(controller) {
      try {
        const part = await next();
        if (!part.done) return controller.enqueue(encoder.encode(part.value));
        await end();
        controller.close();
      } catch (error) {
        await end();
        if (!(error instanceof DomainError))
          ctx.reportFault({ requestId: ctx.requestId, operation: operation.id, error });
        controller.error(error);
      }
    },
    cancel: end,
  });
}

/** nextPart skips empty parts: a stream calls again only after it got something. */
async function nextPart(parts: FileStream["parts"]): Promise<Next> {
  for (;;) {
    const part = await parts.next();
    if (part.done || part.value !== "") return part;
  }
}
