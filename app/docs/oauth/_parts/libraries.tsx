import { ChevronDown } from "lucide-react";
import { CodeBlock } from "#app/_ui/code-block.tsx";
import { DocSection } from "../../_parts/doc-section";
import { NamedTable } from "../../_parts/named-table";
import { readSamples } from "../../_parts/read-sample";
import { Prose, WithCode } from "../../_parts/with-code";

import { basicSwitches, recipes } from "./recipes";

/** A whole program for each client library, folded away until it is wanted. */
export async function Libraries() {
  const programs = await readSamples("recipes", recipes);
  return (
    <>
      <DocSection id="libraries" title="With your library">
        <Prose>
          Each example does the same five things: ask, return (approved or denied), call, refresh, revoke. Our tests run
          exactly this code. Copy one and fill in the values from your application's page.
        </Prose>
        {programs.map(({ id, library, file, language, mind, code }) => (
          <details key={id} id={id} className="group min-w-0 scroll-mt-6 rounded-card border border-line">
            <summary className="flex cursor-pointer items-center justify-between rounded-card px-4 py-3 font-medium hover:bg-accent-wash">
              {library}
              <ChevronDown className="size-4 text-ink-faint group-open:rotate-180" aria-hidden="true" />
            </summary>
            <div className="grid grid-cols-[minmax(0,1fr)] gap-3 border-t border-line p-4">
              <p className="text-sm text-ink-soft">
                <WithCode text={mind} />
              </p>
              <CodeBlock language={language} title={file} code={code} />
            </div>
          </details>
        ))}
      </DocSection>
      <DocSection id="basic" title="Libraries that send the secret in the body">
        <Prose>
          The secret goes into the header: `client_secret_basic`. A library that writes `client_secret` into the body
          gets `invalid_client` until it is configured otherwise. Some leave the field there and empty, which counts as
          none.
        </Prose>
        <NamedTable
          caption="How libraries are told to use HTTP Basic"
          header="Library"
          rows={basicSwitches.map(({ library, how }) => ({ name: library, how }))}
          columns={[{ header: "Setting", text: ({ how }) => how }]}
        />
      </DocSection>
    </>
  );
}
