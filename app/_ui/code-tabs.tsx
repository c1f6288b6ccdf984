import { CodeBlock, type Language } from "./code-block";
import { Tabs } from "./tabs";

type Props = {
  label: string;
  samples: readonly { label: string; code: string; language: Language }[];
};

export function CodeTabs({ label, samples }: Props) {
  return (
    <div className="min-w-0 overflow-clip rounded-card border border-line bg-sunken">
      <Tabs
        label={label}
        tabs={samples.map((sample) => ({
          // An id must not contain spaces.
          id: sample.label.toLowerCase().replaceAll(" ", "-"),
          label: sample.label,
          content: (
            <CodeBlock
              bare
              code={sample.code}
              language={sample.language}
              label={`${label}: ${sample.label}`}
            />
          ),
        }))}
      />
    </div>
  );
}
