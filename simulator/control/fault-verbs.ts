import { z } from "zod";
import { type FaultPreset, faultPresets, presetFault } from "#simulator/fault-presets";
import { Fault, FaultMatch } from "#simulator/faults";
import { type ControlParts, verb } from "./verb";

const names = Object.keys(faultPresets) as [FaultPreset, ...FaultPreset[]];
const Presets = FaultMatch.extend({ name: z.enum(names).optional() });

/** Verbs about what goes wrong on purpose. */
export function faultVerbs({ faults, now }: ControlParts) {
  return {
    addFault: verb(Fault, (fault) => faults.add(fault)),
    clearFaults: () => faults.clear(),
    /** Adds the fault of that name, for calls that match if more is said. Without a name it only lists the names. */
    presets: verb(Presets.default({}), ({ name, ...match }) => {
      if (name) faults.add({ ...presetFault(name, now()), ...match });
      return { presets: names };
    }),
  };
}
