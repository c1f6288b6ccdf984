import type { ComponentProps, ReactNode } from "react";
import { csrfToken } from "#app/_lib/caller";
import { csrfField, csrfMeta } from "#app/_lib/csrf";
import { Button } from "#app/_ui/button.tsx";
import { PostForm } from "#app/_ui/post-form.tsx";

type CsrfFormProps = {
  action: string;
  fields?: Readonly<Record<string, string | undefined>> | undefined;
  className?: string;
  children: ReactNode;
};

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

type ActButtonProps = Omit<CsrfFormProps, "className"> &
  Pick<ComponentProps<typeof Button>, "variant" | "size" | "aria-label">;

/** A form that is one button. */
export const ActButton = ({ action, fields, size = "sm", ...button }: ActButtonProps) => (
  <CsrfForm action={action} fields={fields}>
    <Button type="submit" size={size} {...button} />
  </CsrfForm>
);

/** The session's token for scripts. */
export async function CsrfMeta() {
  return <meta name={csrfMeta} content={await csrfToken()} />;
}
