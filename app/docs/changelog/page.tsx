import type { Metadata } from "next";
import { portalContext } from "#app/_lib/caller";
import { DocPage, DocSection } from "../_parts/doc-page";
import { guides } from "../_parts/guides";
import { readFromProduct } from "../_parts/read-sample";
import { Prose, ProseList, WithCode } from "../_parts/with-code";
import { parseChangelog } from "./parse-changelog";

export const metadata: Metadata = { title: guides["/docs/changelog"].title };

export default async function Changelog() {
  await portalContext();
  const { about, versions } = parseChangelog(await readFromProduct("CHANGELOG.md"));
  return (
    <DocPage
      {...guides["/docs/changelog"]}
      lead={<WithCode text={about} />}
      outline={versions.map(({ id, version }) => [id, version] as const)}
    >
      {versions.map(({ id, version, blocks }) => (
        <DocSection key={id} id={id} title={version}>
          {blocks.map((block) =>
            block.kind === "list" ? (
              <ProseList key={block.items[0]} items={block.items} />
            ) : (
              <Prose key={block.text}>{block.text}</Prose>
            ),
          )}
        </DocSection>
      ))}
    </DocPage>
  );
}
