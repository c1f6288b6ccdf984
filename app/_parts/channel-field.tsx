import { SelectField } from "#app/_ui/field.tsx";

type Props = {
  id?: string;
  label: string;
  none: string;
  hint: string;
  chosen: string | null;
  channels: readonly { readonly id: string; readonly name: string }[];
};

export function ChannelField({ id, label, none, hint, chosen, channels }: Props) {
  const gone = chosen !== null && !channels.some((channel) => channel.id === chosen);
  const options = channels.map((channel) => ({ value: channel.id, label: `#${channel.name}` }));
  return (
    <SelectField
      name="channel_id"
      id={id}
      label={label}
      required={false}
      className="w-full max-w-96"
      error={gone && "The chosen channel no longer exists. Choose another one."}
      hint={hint}
      defaultValue={gone ? "" : (chosen ?? "")}
      options={[{ value: "", label: none }, ...options]}
    />
  );
}
