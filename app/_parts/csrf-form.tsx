import { type ComponentProps, type ReactNode, use } from "react";
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

/** Not async, because each async component is a row of its own in the page's data. */
export const CsrfForm = ({ fields, ...form }: CsrfFormProps) => (
  <PostForm {...form} fields={{ ...fields, [csrfField]: use(csrfToken()) }} />
);

type ActButtonProps = Omit<CsrfFormProps, "className"> &
  Pick<ComponentProps<typeof Button>, "variant" | "size" | "aria-label">;

export const ActButton = ({ action, fields, size = "sm", ...button }: ActButtonProps) => (
  <CsrfForm action={action} fields={fields}>
    <Button type="submit" size={size} {...button} />
  </CsrfForm>
);

export const CsrfMeta = () => <meta name={csrfMeta} content={use(csrfToken())} />;
