"use client";

import { CircleAlert, CircleCheck, X } from "lucide-react";
import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from "react";

export type Toast = { tone: "good" | "bad"; title: string; description?: string };
type Shown = Toast & { id: number };

/** Milliseconds: long enough to read two lines twice. A fault stays until dismissed. */
const shownMilliseconds = 6_000;

const ToastContext = createContext<((toast: Toast) => void) | undefined>(undefined);

export function useToast(): (toast: Toast) => void {
  const show = useContext(ToastContext);
  if (!show) throw new Error("useToast is called outside ToastProvider.");
  return show;
}

/** Once on a page, around the parts that say what their script did. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<Shown[]>([]);
  const show = useCallback((toast: Toast) => {
    setToasts((now) => [...now, { ...toast, id: (now.at(-1)?.id ?? 0) + 1 }].slice(-3));
  }, []);
  const dismiss = useCallback(
    (id: number) => setToasts((now) => now.filter((toast) => toast.id !== id)),
    [],
  );
  return (
    <ToastContext.Provider value={show}>
      {children}
      <section
        aria-label="Notifications"
        aria-live="polite"
        className="pointer-events-none fixed inset-x-4 bottom-4 z-50 grid justify-items-end gap-2 sm:left-auto sm:w-88"
      >
        {toasts.map((toast) => (
          <ToastCard key={toast.id} toast={toast} onDismiss={() => dismiss(toast.id)} />
        ))}
      </section>
    </ToastContext.Provider>
  );
}

function ToastCard({ toast, onDismiss }: { toast: Shown; onDismiss: () => void }) {
  const [held, setHeld] = useState(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new onDismiss at each rendering must not start the time again.
  useEffect(() => {
    if (held || toast.tone === "bad") return;
    const timer = setTimeout(onDismiss, shownMilliseconds);
    return () => clearTimeout(timer);
  }, [held, toast.id]);

  const Icon = toast.tone === "good" ? CircleCheck : CircleAlert;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the pointer and focus only stop the clock; there is nothing to operate.
    <div
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      className="pointer-events-auto flex w-full items-start gap-3 rounded-card bg-raised py-3 pr-2 pl-4 shadow-float motion-safe:animate-[arrive_180ms_var(--ease-out)]"
    >
      <Icon
        className={
          toast.tone === "good"
            ? "mt-0.75 size-4.5 flex-none text-good"
            : "mt-0.75 size-4.5 flex-none text-bad"
        }
      />
      <div className="min-w-0 flex-1">
        <p className="font-medium">{toast.title}</p>
        {toast.description && <p className="text-sm text-ink-soft">{toast.description}</p>}
      </div>
      <button
        type="button"
        onClick={onDismiss}
        aria-label="Dismiss"
        className="grid size-7 flex-none place-items-center rounded-control text-ink-faint hover:bg-accent-wash hover:text-ink pointer-coarse:size-10"
      >
        <X className="size-4" />
      </button>
    </div>
  );
}
