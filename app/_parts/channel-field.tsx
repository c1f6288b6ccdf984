import { Field, Select } from "#app/_ui/field.tsx";

type Props = {
  id?: string;
  label: string;
  /** What choosing no channel means. */
  none: string;
  hint: string;
  /** The channel that is set; null: none. */
  chosen: string | null;
  channels: readonly { readonly id: string; readonly name: string }[];
};

/** The choice of a channel of a chat server. Says so where the one that is set is gone. */
export function ChannelField({ id, label, none, hint, chosen, channels }: Props) {
  const gone = chosen !== null && !channels.some((channel) => channel.id === chosen);
  const options = channels.map((channel) => ({ value: channel.id, label: `#${channel.name}` }));
  return (
    <Field
      name="channel_id"
      {...(id && { id })}
      label={label}
      required={false}
      className="w-full max-w-96"
      error={gone && "The chosen channel no longer exists. Choose another one."}
      hint={hint}
    >
      {(control) => (
        <Select
          {...control}
          defaultValue={gone ? "" : (chosen ?? "")}
          options={[{ value: "", label: none }, ...options]}
        />
      )}
    </Field>
  );
}
