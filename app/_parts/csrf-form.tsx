import type { ReactNode } from "react";
import { csrfToken } from "#app/_lib/caller";
import { csrfField, csrfMeta } from "#app/_lib/csrf";
import { PostForm } from "#app/_ui/post-form.tsx";

type CsrfFormProps = {
  action: string;
  fields?: Readonly<Record<string, string | undefined>>;
  className?: string;
  children: ReactNode;
};

/** Carries the session's token. */
export async function CsrfForm({ action, fields = {}, className, children }: CsrfFormProps) {
  return (
    <PostForm
      action={action}
      fields={{ ...fields, [csrfField]: await csrfToken() }}
      className={className}
    >
      {children}
    </PostForm>
  );
}

/** The session's token for scripts. */
export async function CsrfMeta() {
  return <meta name={csrfMeta} content={await csrfToken()} />;
}
