import { WithCode } from "../../_parts/with-code";

/** A paragraph of the guide; what stands between backticks is code. */
export function Prose({ children }: { children: string }) {
  return (
    <p className="text-ink-soft">
      <WithCode text={children} />
    </p>
  );
}
