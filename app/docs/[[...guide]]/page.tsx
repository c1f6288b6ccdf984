import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { portalContext } from "#app/_lib/caller";
import { pageSettings } from "#app/_lib/settings";
import { CopyButton } from "#app/_ui/copy-button.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { DocPage } from "../_parts/doc-page";
import { guideFacts, guidePath, guideTitle, isGuideName, readGuide } from "../_parts/guides";
import { GuideContent, renderInline } from "../_parts/markdown";

type Props = { params: Promise<{ guide?: string[] }> };

const nameOf = async ({ params }: Props) => {
  const name = ((await params).guide ?? []).join("/");
  return isGuideName(name) ? name : notFound();
};

export async function generateMetadata(props: Props): Promise<Metadata> {
  const name = await nameOf(props);
  const { baseUrl } = pageSettings();
  return {
    title: guideTitle(name),
    alternates: {
      types: {
        "text/markdown": `${baseUrl}${guidePath(name)}.md`,
        "application/atom+xml": `${baseUrl}/docs/changelog.atom`,
      },
    },
  };
}

export default async function GuidePage(props: Props) {
  const name = await nameOf(props);
  const { context } = await portalContext();
  const { title, lead, sections } = readGuide(name, await guideFacts(context, name));
  const markdown = `${guidePath(name)}.md`;
  return (
    <DocPage
      title={title}
      lead={renderInline(lead)}
      sections={sections.map((section) => ({
        ...section,
        content: <GuideContent {...section} />,
      }))}
      actions={
        <>
          <CopyButton from={markdown} what="as Markdown" withLabel />
          <TextLink href={markdown} document className="text-sm">
            Markdown
          </TextLink>
        </>
      }
    />
  );
}
