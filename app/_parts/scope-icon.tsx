import { Crosshair, IdCard, KeyRound, Landmark, Layers, Shield } from "lucide-react";
import type { ScopeName } from "#server/scopes";

const icons = {
  identity: IdCard,
  faction: Shield,
  "faction:attacks": Crosshair,
  "faction:banking": Landmark,
  "faction:crimes": Layers,
  "service_key:usage": KeyRound,
} as const satisfies Record<ScopeName, unknown>;

export function ScopeIcon({ scope }: { scope: ScopeName }) {
  const Icon = icons[scope];
  return <Icon />;
}
