import { InlineCode } from "./inline-code";

/** A sentence from a description, with what stands between backticks set as code. */
export function WithCode({ text }: { text: string }) {
  return text.split(/`([^`]+)`/).map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a fixed sentence never move.
      <InlineCode key={index}>{part}</InlineCode>
    ) : (
      part
    ),
  );
}
