import type { ReactNode } from "react";

type Props = {
  title: string;
  text: ReactNode;
  children: ReactNode;
};

export const Entry = ({ title, text, children }: Props) => (
  <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-4 py-4 sm:px-5">
    <div className="min-w-0 flex-1 basis-72">
      <h3 className="font-medium">{title}</h3>
      <div className="text-sm text-ink-soft">{text}</div>
    </div>
    {children}
  </li>
);
