import { KeyRound } from "lucide-react";
import { Button } from "#app/_ui/button.tsx";
import { CopyButton } from "#app/_ui/copy-button.tsx";

type Props = { codes: readonly string[]; onDone: () => void };

const takeFocus = (heading: HTMLElement | null) => heading?.focus();

/** New backup codes, in the one moment in which anybody can read them. Their heading takes the focus: a live region would read them aloud. */
export function BackupCodesOnce({ codes, onDone }: Props) {
  return (
    <section className="overflow-clip rounded-card border border-warn-line bg-surface">
      <div className="flex items-start gap-3 border-b border-warn-line bg-warn-wash px-4 py-3 sm:px-5">
        <KeyRound className="mt-0.75 size-4.5 flex-none text-warn" aria-hidden="true" />
        <div>
          <h2 ref={takeFocus} tabIndex={-1} className="font-medium tracking-normal outline-none">
            Store these backup codes now. They are shown once.
          </h2>
          <p className="text-sm text-ink-soft">
            If you lose your phone, each of them works once instead of a code from the app. Keep them apart from your
            game key.
          </p>
        </div>
      </div>
      <ul className="grid grid-cols-2 gap-x-6 gap-y-2 px-4 py-4 font-mono sm:max-w-110 sm:px-5">
        {codes.map((code) => (
          <li key={code} className="select-all">
            {code}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3 border-t border-line px-4 py-3 sm:px-5">
        <CopyButton text={codes.join("\n")} what="all backup codes" withLabel />
        <Button size="sm" variant="primary" onClick={onDone}>
          I have stored them
        </Button>
      </div>
    </section>
  );
}
