import { CodeTabs } from "#app/_ui/code-tabs.tsx";
import { clientSnippets } from "./client-snippets";

/** Code that connects one application, in the client libraries of the field. */
export function ConnectSamples(subject: Parameters<typeof clientSnippets>[0]) {
  return (
    <section aria-labelledby="connect" className="min-w-0">
      <h2 id="connect" className="text-base font-semibold">
        Connect
      </h2>
      <p className="mb-3 text-sm text-ink-soft">The whole flow, in a client library you know.</p>
      <CodeTabs label="Connect" samples={clientSnippets(subject)} />
    </section>
  );
}
