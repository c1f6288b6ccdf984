import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";

interface AdjutantEvent {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly code?: string; readonly [field: string]: unknown };
}

/** Receives the webhooks of one endpoint. `secret` is the text that begins with whsec_. */
export function receiver(secret: string, onEvent: (event: AdjutantEvent) => void) {
  const webhook = new Webhook(secret);
  // Keep these ids for eight days, in your database: an event may come again for that long.
  const seen = new Set<string>();
  return createServer(async (request, response) => {
    let event: AdjutantEvent;
    try {
      // The text as it came: parsed and written again it would have another signature.
      event = webhook.verify(
        await text(request),
        request.headers as Record<string, string>,
      ) as AdjutantEvent;
    } catch {
      response.writeHead(401).end();
      return;
    }
    if (event.type === "endpoint.verify") {
      response.end(event.data.code);
      return;
    }
    // Answer first and work afterwards: after 15 seconds the event counts as failed.
    response.writeHead(204).end();
    if (seen.has(event.id)) return;
    seen.add(event.id);
    onEvent(event);
  });
}
