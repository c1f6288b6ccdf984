import { CodeBlock } from "#app/_ui/code-block.tsx";
import { StatRow } from "#app/_ui/stat-row.tsx";
import { Status } from "#app/_ui/status.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import type { Called } from "./call-endpoint";

/** What was sent, and what came back. */
export function CallResult({ called }: { called: Called }) {
  const header = (wanted: string) => called.headers.find(([name]) => name === wanted)?.[1];
  return (
    <section className="grid gap-4" aria-label="Answer" aria-live="polite">
      <StatRow
        items={[
          { label: "Status", value: <Status tone={called.ok ? "good" : "bad"}>{called.status}</Status> },
          { label: "Time", value: `${called.milliseconds} ms` },
          {
            label: "Calls left",
            value: header("x-ratelimit-remaining") ?? "–",
            hint: `of ${header("x-ratelimit-limit") ?? "–"} a minute`,
          },
          { label: "Limit resets in", value: `${header("x-ratelimit-reset") ?? "–"} s` },
        ]}
      />
      {!called.ok && <WhatItMeans body={called.body} />}
      <CodeBlock title="Request" language="http" code={called.request} wrap />
      <CodeBlock title="Body" language="json" code={called.body || "(no body)"} />
      <CodeBlock
        title="Headers"
        language="http"
        code={called.headers.map(([name, value]) => `${name}: ${value}`).join("\n")}
        wrap
      />
    </section>
  );
}

/** Every error of the API has a page of its own. */
function WhatItMeans({ body }: { body: string }) {
  const code = /"code": (\d+)/.exec(body)?.[1];
  if (code === undefined) return null;
  return (
    <p className="text-sm text-ink-soft">
      <TextLink href={`/docs/errors/${code}`}>What error {code} means, and what to do</TextLink>
    </p>
  );
}
