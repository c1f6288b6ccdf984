import { CopyButton } from "#app/_ui/copy-button.tsx";

/** A request's id, to be copied into a report: whole for the clipboard, its beginning for the eye. */
export function RequestId({ id }: { id: string }) {
  return (
    <span className="inline-flex items-center gap-1">
      <code className="font-mono text-xs" title={id}>
        {id.slice(0, 8)}…
      </code>
      <CopyButton text={id} what={`request ID ${id}`} className="-my-1" />
    </span>
  );
}
